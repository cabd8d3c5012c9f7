import type { Caller } from '../../api/http/caller.ts'
import { Problem } from '../../base/kernel/problem.ts'

/** Refuses a key that is restricted to cards: a membership is paid by the whole wallet. */
export function checkWholeWallet(caller: Caller): void {
  if (caller.cardIds !== null)
    throw new Problem('forbidden_scope', 'A key restricted to cards cannot change a membership.')
}
