import { Type } from 'typebox'
import { defineTask, HexField, IdField, Looks } from '../../../base/jobs/task.ts'

/** Credits a deposit once its block is safe. */
export const creditDepositTask = defineTask({
  name: 'credit_deposit',
  payload: { walletAddress: Type.String(), txHash: HexField, asset: Type.Optional(Type.String()) },
  key: ({ walletAddress, txHash, asset = '' }) => `${walletAddress}:${txHash}:${asset}`,
})

/** Ends a deposit by authorization. */
export const finishDepositTask = defineTask({
  name: 'finish_deposit',
  payload: { id: IdField('dep'), looks: Looks },
  key: 'id',
})
