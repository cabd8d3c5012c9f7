import { Problem } from '../../base/kernel/problem.ts'
import type { Caller } from '../http/caller.ts'

/** Refuses a key that is limited to cards: a webhook tells of everything that the wallet does. */
export function checkWholeWallet({ cardIds }: Caller): void {
  if (cardIds !== null)
    throw new Problem(
      'forbidden_scope',
      'A key restricted to cards cannot use webhooks, which tell of every card. Use a key without card_ids.',
    )
}
