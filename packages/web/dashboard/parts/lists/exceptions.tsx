import { Link } from '@tanstack/react-router'
import { purser, queries } from '../../service/client.ts'
import { useConfig } from '../../service/config.ts'
import { useExceptions } from '../../service/waiting.ts'
import { AskButton } from '../acts/ask.tsx'
import { Badge } from '../badge.tsx'
import { Sum, Time, useExact } from '../money.tsx'
import { Payee } from '../names/payee.tsx'
import { Empty, Loaded } from '../states.tsx'

const renew = () => queries.invalidateQueries({ queryKey: ['exceptions'] })

const REASONS: Record<string, string> = {
  late: 'It came after the link had expired.',
  short: 'It is less than the link asks for.',
  over: 'It is more than the link asks for.',
  closed: 'The link was closed.',
  unknown: 'It names no payment of the link.',
}

/** Money that reached links and settled nothing: of one link, or all that is still open. */
export function Exceptions({ code, isOpenOnly = false }: { code?: string; isOpenOnly?: boolean }) {
  const exceptions = useExceptions({
    ...(code !== undefined && { pay_link_code: code }),
    ...(isOpenOnly && { status: 'OPEN' as const }),
  })
  const exact = useExact()
  const tokens = useConfig().data?.tokens ?? {}
  const withdrawalFee = ({ network, asset }: { network: string; asset: string }) => {
    const token = tokens[network]?.[asset]
    return token ? exact.text({ ...token, asset }, 'withdrawal_fee') : 'its fee'
  }
  return (
    <Loaded query={exceptions}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title="No money is in question" />
        ) : (
          <ul className="grid gap-3">
            {rows.map((one) => (
              <li key={one.id} className="rounded-lg border border-line p-4">
                <p className="text-lg">
                  <Sum of={one} field="amount" hasAsset />
                </p>
                <p className="text-sm text-soft">
                  {REASONS[one.reason] ?? one.reason} From <Payee of={one.payer} />,{' '}
                  <Time at={one.created_at} />
                  {code === undefined && (
                    <>
                      , to the link{' '}
                      <Link
                        to="/links/$code"
                        params={{ code: one.pay_link_code }}
                        className="underline"
                      >
                        <Payee of={one.pay_link_code} />
                      </Link>
                    </>
                  )}
                  .
                </p>
                {!isOpenOnly && (
                  <p className="mt-1">
                    <Badge state={one.status} />
                  </p>
                )}
                {one.status === 'OPEN' && (
                  <div className="mt-3 flex flex-wrap gap-2">
                    <AskButton
                      label="Send it back"
                      title={`Send the money back to ${one.payer}?`}
                      act={async (idempotencyKey) => {
                        await purser.exceptions.refund(one.id, { idempotencyKey })
                        await renew()
                      }}
                    >
                      All that came in, {exact.text(one, 'amount')} {one.asset}, leaves for the
                      address that paid. Its fee of {exact.text(one, 'fee')} comes back to your
                      balance; the withdrawal costs you {withdrawalFee(one)}. This cannot be undone.
                    </AskButton>
                    <AskButton
                      label="Keep it"
                      title="Keep this money?"
                      act={async (idempotencyKey) => {
                        await purser.exceptions.keep(one.id, { idempotencyKey })
                        await renew()
                      }}
                    >
                      It stays on your card, and can no longer be sent back from here.
                    </AskButton>
                  </div>
                )}
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}
