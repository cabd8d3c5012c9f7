import { defineSingleTask, defineTask, IdField, Looks } from '../../../base/jobs/task.ts'

/** Submits and ends withdrawals together. */
export const carryWithdrawalsTask = defineSingleTask('carry_withdrawals')

/** Has the withdrawals that an operator approved begin. */
export const beginApprovedTask = defineSingleTask('begin_approved_withdrawals')

/** Looks at one withdrawal that is off the usual course. */
export const finishWithdrawalTask = defineTask({
  name: 'finish_withdrawal',
  payload: { withdrawal_id: IdField('wd'), looks: Looks },
  key: 'withdrawal_id',
})
