import { defineTask, IdField } from '../../jobs/task.ts'

/** Looks at a card's funding transaction. */
export const activateCardTask = defineTask({
  name: 'activate_card',
  payload: { cardId: IdField('card') },
  key: 'cardId',
})
