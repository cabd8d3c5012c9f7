import type { User, World } from '../../world.ts'

/** Runs the jobs until the withdrawal has ended, and shows it. */
export const endedWithdrawal = (w: World, user: User, id: string) =>
  w.workUntil(
    async () => (await w.as(user).get(`/api/withdrawals?id=${id}`)).body.withdrawals[0],
    ({ status }) => status !== 'PROCESSING',
  )
