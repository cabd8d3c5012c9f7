import type { Tx } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { type Amount, amount, ZERO } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import type { BindingKeys } from '../../../base/protocols/mpp/binding.ts'
import { type Challenge, expiryOf } from '../../../base/protocols/mpp/headers/challenge.ts'
import {
  type AgentcardCharge,
  agentcardPayload,
  makeCardToken,
} from '../../../base/protocols/mpp/methods/agentcard.ts'
import type { CardWithMoney } from '../card.ts'
import type { Purchase } from '../consent.ts'
import { type Denied, holdOnCard } from '../debit.ts'
import type { Spend } from '../policy.ts'
import { findTransaction, insertTransactions } from '../transactions.ts'
import { findToken, type IssuedToken, insertToken } from './store.ts'

/** The payee of a challenge, as the card's policy judges it. */
export type Payee = {
  /** Names of the payee, best first: the code of its link, wallet address, card id. */
  merchants: readonly string[]
  mcc: string | null
  memo: string
}

export type TokenOrder = {
  /** The paying card, locked by this transaction. The caller has checked that it may be used. */
  card: CardWithMoney
  /** A challenge that this service made and that has not expired (`checkBinding`). */
  challenge: Challenge
  /** The charge in the challenge (`readAgentcardTerms`), in `asset`. */
  charge: AgentcardCharge
  payee: Payee
  /** The payee's fee. The token keeps it, as every hold does. */
  fee: Amount
  asset: Asset
  bought: Pick<Purchase, 'request' | 'approvalId'>
  /** The keys for card tokens; the first one seals this token. */
  keys: BindingKeys
}

export type IssueOutcome =
  /** `payload` goes into a credential for the challenge; `token` has the state of the money. */
  | { kind: 'issued'; token: IssuedToken; payload: ReturnType<typeof agentcardPayload> }
  /** Recorded, as every decline is: commit, then answer `declined(denied)`. */
  | { kind: 'declined'; denied: Denied }

/**
 * Pays a challenge of this service with a card: the card policy decides, the whole amount goes on hold, and the payer's
 * card shows a PENDING transaction. The same card gets the same token for the same challenge, whatever the token's
 * state, and never a second hold. Throws `invalid_state` (409) if another card was first, or an earlier owner of this one.
 */
export async function issueCardToken(tx: Tx, at: Date, order: TokenOrder): Promise<IssueOutcome> {
  const { card, challenge } = order
  const known = await findToken(tx, challenge.id)
  if (known) {
    const sent = await findTransaction(tx, known.transactionId)
    if (sent?.walletAddress !== card.walletAddress) throw takenByAnother()
    return issued(order, known)
  }
  const { charge, payee, fee, asset } = order
  const spend = spendOfCharge(order)
  const expiresAt = expiryOf(challenge)
  assert(expiresAt, 'a challenge of this service ends')
  const id = newId('stl', at)
  const hold = await holdOnCard(tx, at, { card, spend, ref: id, asset })
  if (hold.kind === 'declined') return hold
  const token: IssuedToken = {
    challengeId: challenge.id,
    cardId: card.id,
    holdId: hold.holdId,
    transactionId: newId('txn', at),
    settlementId: id,
    recipient: charge.recipient,
    amount: spend.amount,
    fee,
    network: asset.network,
    asset: asset.symbol,
    state: 'held',
    expiresAt,
    createdAt: at,
    endedAt: null,
  }
  await insertTransactions(tx, [sentBy(card, token, payee)])
  if (!(await insertToken(tx, token))) throw takenByAnother()
  return issued(order, token)
}

/** The spend that the card's policy decides on. */
export const spendOfCharge = ({ charge, payee, bought }: TokenOrder): Spend => ({
  ...bought,
  amount: amount(charge.amount),
  merchants: payee.merchants,
  mcc: payee.mcc,
  rail: 'mpp',
})

function issued({ card, challenge, keys }: TokenOrder, token: IssuedToken): IssueOutcome {
  if (token.cardId !== card.id) throw takenByAnother()
  const sealed = makeCardToken(keys[0], challenge, { card: card.id, hold: token.holdId })
  return { kind: 'issued', token, payload: agentcardPayload(sealed) }
}

/** The pending transaction of the payer's card. Redeeming or releasing the token ends it. */
const sentBy = (card: CardWithMoney, token: IssuedToken, payee: Payee) => ({
  id: token.transactionId,
  cardId: card.id,
  walletAddress: card.walletAddress,
  direction: 'sent' as const,
  amount: token.amount,
  fee: ZERO,
  merchant: payee.merchants[0] ?? token.recipient,
  protocol: 'mpp' as const,
  status: 'PENDING' as const,
  network: token.network,
  asset: token.asset,
  txHash: null,
  ref: token.settlementId,
  memo: payee.memo,
  createdAt: token.createdAt,
  settledAt: null,
})

const takenByAnother = (): Problem =>
  new Problem(
    'invalid_state',
    'Another card pays this challenge. Ask the seller for a challenge of your own.',
    { param: 'challenge' },
  )
