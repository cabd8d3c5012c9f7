import type { Act } from '../load.ts'
import type { Claim, World } from './moves.ts'

export const of = (world: World, ...acts: Act[]): Claim[] =>
  world.claims.filter(({ act }) => (acts as string[]).includes(act))

/** A facilitator answers 200 for every outcome. */
export const isKept = ({ outcome: { reply } }: Claim): boolean =>
  reply.status === 200 && reply.body?.success !== false

export const describe = ({ act, ref, outcome }: Claim): string =>
  `${act} ${ref}: ${outcome.reply.status} ${JSON.stringify(outcome.reply.body).slice(0, 300)}`

/** The promised ids and the stored ones must be the same list, each id once. */
export function sameList(
  what: string,
  promised: readonly string[],
  written: readonly string[],
): string[] {
  const twice = (list: readonly string[]) => list.filter((id, i) => list.indexOf(id) !== i)
  const [promisedSet, writtenSet] = [new Set(promised), new Set(written)]
  return [
    ...twice(promised).map((id) => `${what} ${id} was promised to two requests`),
    ...twice(written).map((id) => `${what} ${id} is written twice`),
    ...promised
      .filter((id) => !writtenSet.has(id))
      .map((id) => `${what} ${id} was promised and is not written`),
    ...written
      .filter((id) => !promisedSet.has(id))
      .map((id) => `${what} ${id} is written and was promised to nobody`),
  ]
}
