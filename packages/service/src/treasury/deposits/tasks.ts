import { Type } from 'typebox'
import { defineTask, HexField, IdField } from '../../jobs/task.ts'

/** Credits a deposit once its block is safe. */
export const creditDepositTask = defineTask({
  name: 'credit_deposit',
  payload: { walletAddress: Type.String(), txHash: HexField },
  key: ({ walletAddress, txHash }) => `${walletAddress}:${txHash}`,
})

/** Ends a deposit by authorization. */
export const finishDepositTask = defineTask({
  name: 'finish_deposit',
  payload: { id: IdField('dep') },
  key: 'id',
})
