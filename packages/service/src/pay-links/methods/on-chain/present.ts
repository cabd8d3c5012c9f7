import { type Static, Type } from 'typebox'
import { normalHash, personAddress } from '../../../chain/reads.ts'
import { Problem } from '../../../kernel/problem.ts'
import { exceptionProblem } from '../../arrivals/exceptions.ts'
import { mustFindLink } from '../../link.ts'
import { pendingBody, settledBody } from '../../view.ts'
import type { PageForm, SettleByBody } from '../method.ts'
import { settleOnChain } from './settle.ts'

const Body = Type.Object({
  tx_hash: Type.Optional(Type.String()),
  from_address: Type.Optional(Type.String()),
})
type Body = Static<typeof Body>

/** Settles a link by a transaction that the payer reports. */
export const onChainSettle: SettleByBody = {
  description:
    'By chain: `tx_hash` of a transfer to the address that `prepare` names, and `from_address`. The answer is 200 with `status` PENDING until the block of the transaction is safe; the credit then follows by itself, and the same call tells it.',
  fields: Body.properties,
  key: 'tx_hash',
  errors: [
    'invalid_transaction',
    'invalid_payment',
    'already_settled',
    'payment_exception',
    'chain_unavailable',
  ],
  isMeant: (body) => body.tx_hash !== undefined,
  pay: async ({ params, body: sent, at, services }) => {
    const { tx_hash = '', from_address }: Body = sent
    const link = await mustFindLink(services, params.code)
    if (!link.acceptedProtocols.includes('onchain') && !link.acceptedProtocols.includes('x402'))
      throw new Problem(
        'protocol_not_accepted',
        `This link takes ${link.acceptedProtocols.join(', ')}, not payments on chain.`,
      )
    const from = from_address === undefined ? null : personAddress(from_address, 'from_address')
    const txHash = normalHash(tx_hash)
    const outcome = await settleOnChain(services, at, { link, txHash, from })
    if (outcome.kind === 'exception')
      throw exceptionProblem(outcome.exception, services.chain.asset.decimals)
    if (outcome.kind === 'settled') return settledBody(services, outcome)
    return pendingBody(services, link, tx_hash.toLowerCase())
  },
}

/**
 * A payer's report on the checkout page. A transaction that is in no block makes no job: the watcher finds it once a block
 * has it. Throws if the transaction pays something else.
 */
export const onChainForm: PageForm = {
  fields: {
    tx_hash: Type.Optional(Type.String({ maxLength: 80 })),
    from_address: Type.Optional(Type.String({ maxLength: 60 })),
  },
  asks: 'a transaction hash',
  shown: ['tx_hash', 'from_address'],
  isMeant: (form) => form.tx_hash !== undefined,
  pay: async (services, at, { link, form }) => {
    if (!link.acceptedProtocols.includes('onchain'))
      throw new Problem('protocol_not_accepted', 'This link takes no transfers on chain.')
    const txHash = normalHash(form.tx_hash ?? '')
    const from = form.from_address ? personAddress(form.from_address, 'from_address') : null
    try {
      await settleOnChain(services, at, { link, txHash, from })
    } catch (error) {
      // Reported twice: the page shows the outcome of the first report.
      if (!(error instanceof Problem && error.code === 'already_settled')) throw error
    }
    return { tx_hash: txHash }
  },
}
