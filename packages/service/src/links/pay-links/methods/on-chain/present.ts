import { type Static, Type } from 'typebox'
import { AmountIn } from '../../../../api/http/fields.ts'
import type { Uses } from '../../../../api/http/services.ts'
import type { Hex } from '../../../../base/kernel/assets.ts'
import { parsePositiveAmount } from '../../../../base/kernel/money.ts'
import { Problem } from '../../../../base/kernel/problem.ts'
import { normalHash, personAddress } from '../../../../chain/client/reads.ts'
import { type Report, settleReported } from '../../../direct/report.ts'
import { exceptionProblem } from '../../../link/arrivals/exceptions.ts'
import { assetOfLink, mustFindLink } from '../../../link/link.ts'
import type { PayLink } from '../../../link/store.ts'
import { pendingBody, type SettledBody, settledBody } from '../../../link/view.ts'
import type { PageForm, SettleByBody } from '../method.ts'
import { settleOnChain } from './settle.ts'

const Body = Type.Object({
  tx_hash: Type.Optional(Type.String({ description: 'Hash of the transaction on chain' })),
  from_address: Type.Optional(Type.String({ description: 'Address that sent the transfer' })),
  amount: Type.Optional(AmountIn),
  signature: Type.Optional(
    Type.String({
      maxLength: 4_100,
      description: 'DIRECT only: of the sender over the message that `prepare` shows',
    }),
  ),
})
type Body = Static<typeof Body>

/** Settles a link by a transaction that the payer reports. */
export const onChainSettle: SettleByBody = {
  description:
    'By chain: `tx_hash` of a transfer to the address that `prepare` names, and `from_address`. The answer is 200 with `status` PENDING until the block of the transaction is safe; the credit then follows by itself, and the status of the link tells it. A transaction that was credited is 410 `already_settled`: do not pay again. For a DIRECT link also `amount` and `signature`: the sender signs for the link and the transaction, and the same report again returns its settlement.',
  fields: Body.properties,
  key: 'tx_hash',
  errors: [
    'invalid_transaction',
    'invalid_payment',
    'already_settled',
    'payment_exception',
    'chain_unavailable',
    'binding_required',
    'invalid_signature',
    'invalid_amount',
    'invalid_address',
  ],
  isMeant: (body) => body.tx_hash !== undefined,
  pay: async ({ params, body: sent, at, services }) => {
    const { tx_hash = '', from_address, amount, signature }: Body = sent
    const link = await mustFindLink(services, params.code)
    const isReportable = link.token === null && link.acceptedProtocols.includes('x402')
    if (!link.acceptedProtocols.includes('onchain') && !isReportable)
      throw new Problem(
        'protocol_not_accepted',
        `This link takes ${link.acceptedProtocols.join(', ')}, not payments on chain.`,
      )
    const from = from_address === undefined ? null : personAddress(from_address, 'from_address')
    const txHash = normalHash(tx_hash)
    if (link.token !== null)
      return reported(services, at, {
        link,
        txHash,
        from,
        ...readProof(services, link, { amount, signature }),
      })
    const outcome = await settleOnChain(services, at, { link, txHash, from })
    if (outcome.kind === 'exception')
      throw exceptionProblem(outcome.exception, assetOfLink(services.chain, link).decimals)
    if (outcome.kind === 'settled') return settledBody(services, outcome)
    return pendingBody(services, link, tx_hash.toLowerCase())
  },
}

async function reported(
  services: Uses<'chain' | 'db' | 'log' | 'relay' | 'settings'>,
  at: Date,
  report: Report,
): Promise<SettledBody> {
  const outcome = await settleReported(services, at, report)
  if (outcome.kind === 'refused')
    throw new Problem('invalid_transaction', outcome.detail, { param: 'tx_hash' })
  return outcome.kind === 'settled'
    ? settledBody(services, outcome)
    : pendingBody(services, report.link, report.txHash)
}

/** The amount and the signature of a report on a DIRECT link. */
function readProof(
  services: Uses<'chain'>,
  link: PayLink,
  { amount, signature }: { amount?: Body['amount'] | undefined; signature?: string | undefined },
): Pick<Report, 'value' | 'signature'> {
  if (signature !== undefined && !/^0x(?:[0-9a-fA-F]{2})+$/.test(signature))
    throw new Problem('invalid_signature', 'signature must be 0x and hex characters.', {
      param: 'signature',
    })
  const { decimals } = assetOfLink(services.chain, link)
  return {
    value: amount === undefined ? null : parsePositiveAmount(amount, decimals),
    signature: signature === undefined ? null : (signature as Hex),
  }
}

/**
 * A payer's report on the checkout page. A transaction that is in no block makes no job: the watcher finds it once a block
 * has it. Throws if the transaction pays something else.
 */
export const onChainForm: PageForm = {
  fields: {
    tx_hash: Type.Optional(
      Type.String({
        maxLength: 80,
        description: 'Hash of the transaction on chain',
      }),
    ),
    from_address: Type.Optional(
      Type.String({ maxLength: 60, description: 'Address that sent the transfer' }),
    ),
    signature: Type.Optional(Type.String({ maxLength: 4_100 })),
  },
  asks: 'a transaction hash',
  shown: ['tx_hash', 'from_address', 'signature'],
  isMeant: (form) => form.tx_hash !== undefined,
  pay: async (services, at, { link, form }) => {
    if (!link.acceptedProtocols.includes('onchain'))
      throw new Problem('protocol_not_accepted', 'This link takes no transfers on chain.')
    const txHash = normalHash(form.tx_hash ?? '')
    const from = form.from_address ? personAddress(form.from_address, 'from_address') : null
    const signature = form.signature || undefined
    try {
      if (link.token !== null)
        await settleReported(services, at, {
          link,
          txHash,
          from,
          ...readProof(services, link, { signature }),
        })
      else await settleOnChain(services, at, { link, txHash, from })
    } catch (error) {
      // Reported twice: the page shows the outcome of the first report.
      if (!(error instanceof Problem && error.code === 'already_settled')) throw error
    }
    return { tx_hash: txHash }
  },
}
