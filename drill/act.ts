import type { Stage } from '../packages/service/test/crash/stage.ts'
import { pause } from '../packages/service/test/until.ts'
import type { Cluster } from './cluster.ts'
import type { Difference, Measured, Shop } from './load.ts'
import type { Machine } from './machines.ts'

/** The parts that the acts share. */
export type Drill = {
  folder: string
  /** From 0 to 1: the same numbers for each act by the same seed. */
  random: () => number
  cluster: Cluster
  /** Ports of machines that haproxy knows: three for the first machines, others for those that come beside them. */
  ports: readonly number[]
  /**
   * The stage of the three machines, and what is paid there, with sums that begin now. The machines are those of the acts before,
   * if those had the same settings. An act that replaces one puts it into the list.
   */
  open(env?: Record<string, string>): Promise<{ stage: Stage; shop: Shop; machines: Machine[] }>
  /** Stops those machines, so that others may have the ports. `open` starts them again. */
  close(): Promise<void>
  /**
   * A stage of its own for one act, on a database of that name of the cluster, or of a server of its own, whose files are in the
   * folder.
   */
  ownStage(name: string, server?: 'cluster' | { folder: string }): Promise<Stage>
  report: (line: string) => void
  /** A commit to upgrade from, if one was named. */
  before: string | undefined
}

/** What an act measured. A goal that is missed is a fault. */
export type Outcome = {
  answered?: number
  lost?: number
  doubled?: number
  failed?: number
  gapSeconds?: number
  waitSeconds?: number
  note: string
  faults: string[]
  skipped?: boolean
}

/** What the payers and the books say together. `own` are faults that the act itself has found. */
export const outcomeOf = (
  { faults: refused, ...measured }: Pick<Measured, 'faults'> & Partial<Measured>,
  { lost, doubled, faults }: Difference,
  { note, own = [] }: { note: string; own?: string[] },
): Outcome => ({
  ...measured,
  lost: lost.length,
  doubled: doubled.length,
  note,
  faults: [...faults, ...refused, ...own],
})

export type Act = {
  name: string
  summary: string
  goal: string
  play(drill: Drill): Promise<Outcome>
}

/** Lets a while pass that the seed chooses. */
export const pauseOf = ({ random }: Pick<Drill, 'random'>, [least, most]: [number, number]) =>
  pause(least + random() * (most - least))

export const chosenBy = <T>({ random }: Pick<Drill, 'random'>, all: readonly T[]): T =>
  all[Math.floor(random() * all.length)] as T

export const FAILOVER_GOAL_SECONDS = 25
export const SILENT_GOAL_SECONDS = 5

export const overGoal = (gapSeconds: number, goal: number): string[] =>
  gapSeconds > goal ? [`nobody was answered for ${gapSeconds} s, and the goal is ${goal} s`] : []

export const overWait = (waitSeconds: number, goal: number): string[] =>
  waitSeconds > goal ? [`a payment waited ${waitSeconds} s, and the goal is ${goal} s`] : []
