import { defineSingleTask, defineTask, HexField } from '../../../base/jobs/task.ts'

/** Follows the swaps of one pool. */
export const followSwapsTask = defineTask({
  name: 'markets_follow_swaps',
  payload: { pool_id: HexField },
  key: 'pool_id',
})

export const keepFollowingTask = defineSingleTask('markets_keep_following')

/** Merges old candles into coarser ones. */
export const coarsenCandlesTask = defineSingleTask('markets_coarsen_candles')
