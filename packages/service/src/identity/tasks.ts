import { defineTask, IdField, Looks } from '../jobs/task.ts'

/** Advances one card's identity until the chain shows what is wanted. */
export const carryIdentityTask = defineTask({
  name: 'carry_identity',
  payload: { card_id: IdField('card'), looks: Looks },
  key: 'card_id',
})

/** Enqueued in the transaction that finds the token moved, or sends it to its owner; the market ends the card's listing. */
export const identityDetached = defineTask({
  name: 'identity_detached',
  payload: { card_id: IdField('card') },
  key: 'card_id',
})
