import { Type } from 'typebox'
import { defineSingleTask, defineTask, Looks } from '../../base/jobs/task.ts'

/** The jobs that follow settlements. */
export const settlementTasks = {
  lookAt: defineTask({
    name: 'look_at_x402_settlement',
    payload: { id: Type.String(), looks: Looks },
    key: 'id',
  }),
  resume: defineSingleTask('resume_x402_settlements'),
  confirm: defineSingleTask('confirm_x402_settlements'),
}

/** Looks at resources that were asked to be listed. */
export const lookAtResourcesTask = defineSingleTask('look_at_x402_resources')

/** Ends orders for payments in escrow whose caller is gone. */
export const escrowTask = defineSingleTask('end_x402_escrow_orders')
