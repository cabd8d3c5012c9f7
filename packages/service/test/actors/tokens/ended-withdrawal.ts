import { setTimeout as sleep } from 'node:timers/promises'
import type { User, World } from '../../world.ts'

/** Runs the jobs until the withdrawal has ended, and shows it. */
export async function endedWithdrawal(w: World, user: User, id: string) {
  for (let tries = 0; tries < 600; tries++) {
    await w.advance(0)
    await w.runJobs()
    const { body } = await w.as(user).get(`/api/withdrawals?id=${id}`)
    if (body.withdrawals[0].status !== 'PROCESSING') return body.withdrawals[0]
    await sleep(150)
  }
  throw new Error(`${id} never ended`)
}
