import { Type } from 'typebox'
import { defineSingleTask, defineTask, HexField, IdField, Looks } from '../../../base/jobs/task.ts'

/** The jobs that follow payments by authorization. */
export const settlementTasks = {
  lookAt: defineTask({
    name: 'look_at_link_settlement',
    payload: { id: IdField('stl'), looks: Looks },
    key: 'id',
  }),
  resume: defineSingleTask('resume_link_settlements'),
  confirm: defineSingleTask('confirm_link_settlements'),
}

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
