import { perServices, type Uses } from '../../api/http/services.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { Bounded } from '../../base/kernel/bounded.ts'
import { within } from '../../base/kernel/clock.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { sha256Hex } from '../../base/kernel/secrets.ts'
import { balanceData } from '../../chain/client/tokens/calls.ts'
import { readWords, type WordRead } from '../../chain/client/tokens/read-words.ts'
import type { HeldToken, Holding, Place } from './holding.ts'

/** A question to the chain, and the place of what it answers. */
export type Question = {
  token: HeldToken
  where: Place
  ref: string
  read: WordRead
  /** A part that is not held any more. */
  less?: WordRead
}

/** An answer is given to everybody who asks the same within this time. Failures are kept too. */
const KEPT_MS = 5_000
const ANSWERS_KEPT = 1_000
const PATIENCE_MS = 3_000

type Answers = (bigint | undefined)[]
const keptAnswers = perServices(() => new Bounded<{ answers: Promise<Answers> }>(ANSWERS_KEPT))

/** A question for the balance of the account. */
export const balanceOf = (
  token: HeldToken,
  place: { where: Place; ref: string; account: Address },
): Question => ({
  token,
  where: place.where,
  ref: place.ref,
  read: { target: token.contract, data: balanceData(place.account) },
})

/**
 * The answers of the chain, without the empty places. Undefined if the chain does not answer within three seconds. A token
 * that answers nothing sensible spoils only its own line.
 */
export async function readOnChain(
  services: Uses<'chain' | 'log'>,
  questions: readonly Question[],
): Promise<Holding[] | undefined> {
  if (questions.length === 0) return []
  try {
    const reads = questions.flatMap(({ read, less }) => (less ? [read, less] : [read]))
    const answers = (await ask(services, reads)).values()
    return questions
      .map(({ token, where, ref, less }) => {
        const whole = answers.next().value
        const gone = less ? answers.next().value : 0n
        return { token, where, ref, amount: difference(whole, gone) }
      })
      .filter(({ amount }) => amount !== 0n)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'chain_unavailable') throw error
    services.log.warn({ err: error }, 'holdings are shown without the chain')
    return undefined
  }
}

const difference = (whole: bigint | undefined, gone: bigint | undefined): bigint | undefined =>
  whole === undefined || gone === undefined || gone > whole ? undefined : whole - gone

/** Asks the chain, or joins whoever asked the same a moment ago. */
function ask(services: Uses<'chain'>, reads: readonly WordRead[]): Promise<Answers> {
  const known = keptAnswers(services)
  const key = sha256Hex(reads.map(({ target, data }) => target + data).join())
  const found = known.get(key)
  if (found) return found.answers
  const answers = within(readWords(services.chain, reads), PATIENCE_MS, () => {
    throw new Problem('chain_unavailable', 'The chain did not answer. Try again in a moment.')
  })
  known.set(key, { answers })
  const forget = () => setTimeout(() => known.delete(key), KEPT_MS).unref()
  answers.then(forget, forget)
  return answers
}
