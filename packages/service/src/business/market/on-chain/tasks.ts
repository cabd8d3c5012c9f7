import { defineTask, IdField, Looks } from '../../../base/jobs/task.ts'

/** Brings a sale on chain to its end. */
export const finishSaleTask = defineTask({
  name: 'finish_sale',
  payload: { listing_id: IdField('lst'), looks: Looks },
  key: 'listing_id',
})
