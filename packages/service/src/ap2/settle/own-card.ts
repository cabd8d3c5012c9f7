import type { CardWithMoney } from '../../cards/card.ts'
import { findCard, lockCard } from '../../cards/store.ts'
import { checkToken } from '../../cards/token.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { type Caller, mayUseCard } from '../../http/caller.ts'
import { notFound, Problem } from '../../kernel/problem.ts'
import { Ap2Refusal } from '../../protocols/ap2/refusal.ts'

/** The caller's card; one of another wallet, or that the key does not name, does not exist. */
export async function ownCard(on: Reader, caller: Caller, id: string): Promise<CardWithMoney> {
  return mineOnly(mayUseCard(caller, id) ? await findCard(on, id) : undefined, caller)
}

/**
 * The caller's card, locked, once its token has shown that the caller may sign for it. Throws `not_found`,
 * `invalid_card_token`, and `invalid_state` for a card that is CLOSED.
 */
export async function lockByToken(
  tx: Tx,
  caller: Caller,
  named: { card_id: string; card_token: string },
): Promise<CardWithMoney> {
  const { card_id: id, card_token: token } = named
  const card = mineOnly(mayUseCard(caller, id) ? await lockCard(tx, id) : undefined, caller)
  checkToken(card, token)
  if (card.status === 'CLOSED')
    throw new Problem('invalid_state', 'The card is CLOSED; nothing can be signed for it any more.')
  return card
}

function mineOnly(card: CardWithMoney | undefined, caller: Caller): CardWithMoney {
  if (card?.walletAddress !== caller.walletAddress) throw notFound('card')
  return card
}

/** What the codec refuses in a field that the caller sent to have it signed or registered is 400, naming the field. */
export function readField<T>(param: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw asInvalid(param, error)
  }
}

/** As `readField`, of what is signed: nothing is given out that the codec itself would not read. */
export async function signField<T>(param: string, sign: () => Promise<T>): Promise<T> {
  try {
    return await sign()
  } catch (error) {
    throw asInvalid(param, error)
  }
}

const asInvalid = (param: string, error: unknown): unknown =>
  error instanceof Ap2Refusal
    ? new Problem('invalid_field', `${param}: ${error.detail}.`, { param, cause: error })
    : error
