import type { Db, Reader, Tx } from '../../base/db/sql.ts'
import { enqueue, enqueueMany, enqueueOne } from '../../base/jobs/queue.ts'
import type { SingleTask, TaskDefinition } from '../../base/jobs/task.ts'
import { handlerOf, type Task } from '../../base/jobs/worker.ts'
import { addSeconds } from '../../base/kernel/clock.ts'
import { LOOK_AGAIN_SECONDS, secondsToNextLook } from './reads/schedule.ts'

type Here = { db: Db }
type Look = { looks?: number | undefined }

/**
 * The job that looks at one thing on the chain, ever less often, until `look` answers true: nothing is left to do. It may run
 * twice, and at once.
 */
export const lookTask = <Given extends Here, P extends Look>(
  task: TaskDefinition<P>,
  look: (services: Given, at: Date, payload: P) => Promise<boolean>,
): Task<Given> =>
  handlerOf(task, {
    handle: async (services: Given, payload, at) => {
      if (await look(services, at, payload)) return
      const { looks = 0 } = payload
      const delaySeconds = secondsToNextLook(looks)
      await services.db.write((tx) =>
        enqueue(tx, task, { ...payload, looks: looks + 1 } as P, { delaySeconds }),
      )
    },
  })

/** The job that finds what has been open for longer than `seconds`, so that its own job is lost, and has it looked at. */
export const sweepTask = <Given extends Here, P, Id>(of: {
  name: string
  cron: string
  task: TaskDefinition<P>
  seconds: number
  find(on: Reader, before: Date): Promise<Id[]>
  payloadOf(id: Id): NoInfer<P>
}): Task<Given> => ({
  name: of.name,
  cron: of.cron,
  handle: async ({ db }, _, at) => {
    const lost = await of.find(db.reader, addSeconds(at, -of.seconds))
    await db.write((tx) => enqueueMany(tx, of.task, lost.map(of.payloadOf)))
  },
})

/** Transfers that come in numbers. Jobs look at all of them together; one whose course is unusual gets its own job. */
export type Followed<Given, Id extends string> = {
  /** Looks at one: continues it if it has no end yet, and confirms it if it has. True once nothing is left to do. */
  look(services: Given, at: Date, id: Id): Promise<boolean>
  /** Finds transfers that were claimed before this time and have no end. */
  findOpen(on: Reader, before: Date): Promise<Id[]>
  hasOpen(on: Reader): Promise<boolean>
  /** Confirms, in one statement, all whose own transaction is in a safe block with the log that ended them. */
  confirmSafe(tx: Tx): Promise<number>
  /** Finds transfers that are not confirmed and have no job of their own. `isOnItsWay`: only their block has to become safe. */
  findUnconfirmed(on: Reader): Promise<{ id: Id; isOnItsWay: boolean }[]>
  /** Called after the commit that confirmed some. */
  onConfirmed?(): void
  tasks: FollowTasks<Id>
}
export type FollowTasks<Id extends string> = {
  lookAt: TaskDefinition<{ id: Id; looks?: number | undefined }>
  resume: SingleTask
  confirm: SingleTask
}

/** One without an end for longer than this, in seconds, has lost its caller, or its job waits after failures. */
const STILL_SECONDS = 15
/** The caller of a claim waits less than this for its block. */
const RESUME_SECONDS = 20

/** Makes sure that a job continues claims whose callers are gone. */
export const resumeSoon = (
  tx: Tx,
  { resume }: Pick<FollowTasks<never>, 'resume'>,
  seconds = RESUME_SECONDS,
): Promise<void> => enqueueOne(tx, resume, seconds)

/** Makes sure that a job looks at those that have ended until their blocks are safe. */
export const confirmSoon = (
  tx: Tx,
  { confirm }: Pick<FollowTasks<never>, 'confirm'>,
): Promise<void> => enqueueOne(tx, confirm, LOOK_AGAIN_SECONDS)

/** The jobs that follow transfers together. The two that look at all enqueue themselves while some are left; the cron finds a lost one. */
export function followTasks<Given extends Here, Id extends string>(
  followed: Followed<Given, Id>,
): Task<Given>[] {
  const { lookAt, resume, confirm } = followed.tasks
  const lookLater = (tx: Tx, ids: Id[], delaySeconds: number) =>
    enqueueMany(
      tx,
      lookAt,
      ids.map((id) => ({ id })),
      { delaySeconds },
    )
  const lookAtOne = lookTask(lookAt, (services: Given, at, { id }) =>
    followed.look(services, at, id),
  )
  const continueLost = async ({ db }: Given, at: Date) => {
    const ids = await followed.findOpen(db.reader, addSeconds(at, -STILL_SECONDS))
    await db.write(async (tx) => {
      await lookLater(tx, ids, 0)
      if (await followed.hasOpen(tx)) await resumeSoon(tx, followed.tasks, STILL_SECONDS)
    })
  }
  const confirmAll = async ({ db }: Given) => {
    const confirmed = await db.write(async (tx) => {
      const count = await followed.confirmSafe(tx)
      const left = await followed.findUnconfirmed(tx)
      const others = left.filter(({ isOnItsWay }) => !isOnItsWay)
      await lookLater(
        tx,
        others.map(({ id }) => id),
        secondsToNextLook(0),
      )
      if (left.length > others.length) await confirmSoon(tx, followed.tasks)
      return count
    })
    if (confirmed > 0) followed.onConfirmed?.()
  }
  return [
    lookAtOne,
    handlerOf(resume, {
      cron: '* * * * *',
      handle: (services: Given, _, at) => continueLost(services, at),
    }),
    handlerOf(confirm, { cron: '* * * * *', handle: (services: Given) => confirmAll(services) }),
  ]
}
