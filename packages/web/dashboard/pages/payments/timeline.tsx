import { ChainLink } from '../../parts/chain-link.tsx'
import { Foreign, Sum, Time, useExact } from '../../parts/money.tsx'
import { useName } from '../../parts/names/use-name.ts'
import { unitsText } from '../../service/amounts.ts'
import type { purser } from '../../service/client.ts'
import { decisionWords } from '../../service/decisions.ts'

export type Payment = Awaited<ReturnType<typeof purser.payments.get>>['payment']
type Fact = Payment['timeline'][number]

const TITLES: Readonly<Record<string, string>> = {
  'decision.allowed': 'The card’s limits let it pass',
  'decision.denied': 'The card’s limits refused it',
  'chain.authorized': 'The treasury signed the payment for the seller',
  'chain.captured': 'The seller took the money on the chain',
  'chain.final': 'The chain has it for good',
  'chain.released': 'The seller let it lapse: nothing left the card',
  'chain.undone': 'The chain took it back',
  'payment.settled': 'Settled',
  'payment.failed': 'Failed',
  'payment.refunded': 'Refunded',
}

/** The life of a payment from the decision to the chain, the first step first. */
export function Timeline({ payment }: { payment: Payment }) {
  return (
    <ol className="grid gap-4 border-l-2 border-line pl-4">
      {payment.timeline.map((fact, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the past does not move
        <li key={i}>
          <div className="flex flex-wrap justify-between gap-x-4">
            <span className="font-medium">{TITLES[fact.type] ?? fact.type}</span>
            <span className="text-sm text-soft">
              <Time at={fact.at} isWhole />
            </span>
          </div>
          <FactWords fact={fact} payment={payment} />
        </li>
      ))}
    </ol>
  )
}

function FactWords({ fact, payment }: { fact: Fact; payment: Payment }) {
  const exact = useExact()
  const payee = useName(payment.merchant)?.main ?? payment.merchant
  const data = (fact.data ?? {}) as Record<string, unknown>
  const decimals = payment.decimals ?? exact.decimalsOf(payment.asset)
  const sum = (atomic: string) => unitsText(atomic, decimals)
  if (fact.type.startsWith('decision.'))
    return (
      <Words>
        {decisionWords(
          {
            rule: String(data.rule),
            merchant: payee,
            mcc: null,
            inputs: (data.inputs ?? {}) as Record<string, unknown>,
          },
          sum,
        )}
      </Words>
    )
  if (fact.type === 'payment.refunded')
    return (
      <Words>
        <Sum
          of={{ ...data, asset: payment.asset, decimals: payment.decimals }}
          field="amount"
          hasAsset
        />
      </Words>
    )
  if (fact.type === 'chain.authorized' && typeof data.value === 'string')
    return (
      <Words>
        For {sum(data.value)} {payment.asset} at most, until{' '}
        <Time at={Number(data.valid_before)} isWhole />
      </Words>
    )
  const { reason, tx_hash, block_number } = data
  if (typeof reason === 'string')
    return (
      <Words>
        <Foreign>{reason.replaceAll('_', ' ')}</Foreign>
      </Words>
    )
  if (typeof tx_hash !== 'string') return null
  return (
    <Words>
      {typeof block_number === 'number' && <>In block {block_number}: </>}
      <ChainLink hash={tx_hash} />
    </Words>
  )
}

const Words = ({ children }: { children: React.ReactNode }) => (
  <p className="text-sm text-soft">{children}</p>
)
