import { Type } from 'typebox'
import { defineTask } from '../../base/jobs/task.ts'

/** Renews, retries or ends the membership of a wallet for which something is due. */
export const endPeriodTask = defineTask({
  name: 'end_membership_period',
  payload: {
    wallet: Type.Unsafe<`0x${string}`>({ type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' }),
  },
  key: 'wallet',
})
