import { defineSingleTask, defineTask, IdField, Looks } from '../../jobs/task.ts'

/** Submits and ends withdrawals together. */
export const carryWithdrawalsTask = defineSingleTask('carry_withdrawals')

/** Looks at one withdrawal that takes no usual course. */
export const finishWithdrawalTask = defineTask({
  name: 'finish_withdrawal',
  payload: { withdrawal_id: IdField('wd'), looks: Looks },
  key: 'withdrawal_id',
})
