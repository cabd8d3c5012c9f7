import { defineTask, IdField } from '../../base/jobs/task.ts'

/** Looks at a card's funding transaction. */
export const activateCardTask = defineTask({
  name: 'activate_card',
  payload: { cardId: IdField('card') },
  key: 'cardId',
})

/** Enqueued in the transaction that ends a card that is for sale; the market handles it. */
export const listedCardEndedTask = defineTask({
  name: 'listed_card_ended',
  payload: { cardId: IdField('card') },
  key: 'cardId',
})
