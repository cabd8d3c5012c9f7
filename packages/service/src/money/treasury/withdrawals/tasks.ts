import { defineSingleTask, defineTask, IdField, Looks } from '../../../base/jobs/task.ts'

/** Submits and ends withdrawals together. */
export const carryWithdrawalsTask = defineSingleTask('carry_withdrawals')

/** Looks at one withdrawal that is off the usual course. */
export const finishWithdrawalTask = defineTask({
  name: 'finish_withdrawal',
  payload: { withdrawal_id: IdField('wd'), looks: Looks },
  key: 'withdrawal_id',
})
