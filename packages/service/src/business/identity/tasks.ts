import { Type } from 'typebox'
import { defineTask, HexField, IdField, Looks } from '../../base/jobs/task.ts'

/** Advances one card's identity until the chain shows what is wanted. */
export const carryIdentityTask = defineTask({
  name: 'carry_identity',
  payload: { card_id: IdField('card'), looks: Looks },
  key: 'card_id',
})

/** Enqueued in the transaction that finds the token moved, or sends it to its owner; the market ends a listing from there. */
export const identityDetached = defineTask({
  name: 'identity_detached',
  payload: { card_id: IdField('card') },
  key: 'card_id',
})

/** Enqueued in the transaction that finds the token, final, in the name of a wallet; the market notes it in the sale. */
export const identityArrived = defineTask({
  name: 'identity_arrived',
  payload: { card_id: IdField('card'), owner: Type.String(), tx_hash: HexField },
  key: 'tx_hash',
})
