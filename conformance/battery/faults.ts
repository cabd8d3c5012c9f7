import { pause } from '../../packages/service/test/until.ts'
import type { Answer, Fault } from './wire.ts'

/** A good part of the time that a payer here waits. */
const SLOW_MS = 1_000

export const canned = (status: number, body: object): Answer => ({
  ...{ status, body: Buffer.from(JSON.stringify(body)) },
  headers: { 'content-type': 'application/json' },
})
const BAD_GATEWAY = canned(502, { message: 'Bad gateway' })

/** In each the money moves, but for `late` before its repetition. */
export const FAULTS = {
  none: async (passing) => passing.give(await passing.forward()),
  silent: async (passing) => {
    await passing.forward()
    await passing.gaveUp
    passing.cut()
  },
  'bad gateway': async (passing) => {
    await passing.forward()
    passing.give(BAD_GATEWAY)
  },
  'demand again': async (passing) => {
    await passing.forward()
    const unpaid = await passing.forwardUnpaid()
    passing.give(unpaid.status === 402 ? unpaid : canned(402, { error: 'Payment required' }))
  },
  slow: async (passing) => {
    const answer = await passing.forward()
    await pause(SLOW_MS)
    passing.give(answer)
  },
  lost: async (passing) => {
    await passing.forward()
    passing.cut()
  },
  half: async (passing) => passing.giveHalf(await passing.forward()),
  late: async (passing) => {
    await passing.gaveUp
    passing.cut()
    await passing.overtaken
    await passing.forward()
  },
  twice: async (passing) => {
    await passing.forward()
    passing.give(await passing.forward())
  },
} as const satisfies Record<string, Fault>
export type FaultName = keyof typeof FAULTS
