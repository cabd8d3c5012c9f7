import { Type } from 'typebox'
import { defineSingleTask, defineTask, HexField, IdField, Looks } from '../../../base/jobs/task.ts'

/** Brings a settlement to its end after its caller has gone. */
export const finishSettlementTask = defineTask({
  name: 'finish_link_settlement',
  payload: { id: IdField('stl') },
  key: 'id',
})
/** Finds settlements whose callers have gone. */
export const maintainSettlementsTask = defineSingleTask('maintain_link_settlements')

/** Confirms credited settlements together. */
export const confirmSettlementsTask = defineSingleTask('confirm_link_settlements')
/** Looks at one credited settlement until its block is safe. */
export const confirmSettlementTask = defineTask({
  name: 'confirm_link_settlement',
  payload: { id: IdField('stl'), looks: Looks },
  key: 'id',
})

/** Settles a link by a transaction on the chain: one job for each link and transaction, however often it is reported. */
export const finishChainPaymentTask = defineTask({
  name: 'finish_chain_payment',
  payload: { code: Type.String(), txHash: HexField },
  key: ({ code, txHash }) => `${code}:${txHash}`,
})

/** Moves a settlement's money from the link's address to the treasury. */
export const sweepLinkTask = defineTask({
  name: 'sweep_link',
  payload: { linkId: IdField('pl'), ref: Type.String(), sends: Type.Optional(Type.Integer()) },
  key: 'ref',
})
