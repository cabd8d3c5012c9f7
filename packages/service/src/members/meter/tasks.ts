import { Type } from 'typebox'
import { defineTask } from '../../base/jobs/task.ts'

/** Compares a wallet's meter with the floors of its threshold agreements. */
export const checkThresholdTask = defineTask({
  name: 'check_threshold',
  payload: { walletAddress: Type.String() },
  key: 'walletAddress',
})
