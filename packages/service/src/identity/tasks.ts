import { defineTask, IdField, Looks } from '../jobs/task.ts'

/** Advances one card's identity until the chain shows what is wanted. */
export const carryIdentityTask = defineTask({
  name: 'carry_identity',
  payload: { card_id: IdField('card'), looks: Looks },
  key: 'card_id',
})

/** Enqueued in the transaction that finds the token moved by its holder; the market handles it. */
export const identityDetached = defineTask({
  name: 'identity_detached',
  payload: { card_id: IdField('card') },
  key: 'card_id',
})
