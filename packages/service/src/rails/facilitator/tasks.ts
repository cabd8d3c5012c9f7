import { Type } from 'typebox'
import { defineSingleTask, defineTask, Looks } from '../../base/jobs/task.ts'

/** Brings a settlement to its end after its caller has gone. */
export const finishSettlementTask = defineTask({
  name: 'finish_x402_settlement',
  payload: { id: Type.String() },
  key: 'id',
})
/** Resumes settlements whose callers have gone. */
export const resumeSettlementsTask = defineSingleTask('resume_x402_settlements')

/** Confirms settlements together. */
export const confirmSettlementsTask = defineSingleTask('confirm_x402_settlements')
/** Looks at one settlement until its block is safe. */
export const confirmSettlementTask = defineTask({
  name: 'confirm_x402_settlement',
  payload: { id: Type.String(), looks: Looks },
  key: 'id',
})

/** Looks at resources that were asked to be listed. */
export const lookAtResourcesTask = defineSingleTask('look_at_x402_resources')
