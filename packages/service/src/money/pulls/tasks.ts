import { Type } from 'typebox'
import { defineTask, Looks } from '../../base/jobs/task.ts'

/** Carries one pull to its end. */
export const carryPullTask = defineTask({
  name: 'carry_pull',
  payload: { charge_id: Type.String(), looks: Looks },
  key: 'charge_id',
})

/**
 * Enqueued in the transaction that ends a pull; the room that requested it handles it. `failed`: nothing was moved, and
 * the pull may be requested again. `missing`: it was confirmed, and a reorganization took it.
 */
export const pullEnded = defineTask({
  name: 'pull_ended',
  payload: {
    charge_id: Type.String(),
    state: Type.Union([Type.Literal('confirmed'), Type.Literal('failed'), Type.Literal('missing')]),
  },
})
