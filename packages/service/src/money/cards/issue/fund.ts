import type { BuiltEvent } from '../../../api/events/define.ts'
import { record } from '../../../api/events/record.ts'
import { cardFunded } from '../../../api/events/types/cards.ts'
import type { Lane } from '../../../base/db/lanes/lane.ts'
import type { Tx } from '../../../base/db/sql.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { type Amount, minus, plus, readPositiveAmount, ZERO } from '../../../base/kernel/money.ts'
import { notFound, Problem, type Refusal, refuse } from '../../../base/kernel/problem.ts'
import { type Assets, assetOf, defaultAsset } from '../../../chain/client/rails.ts'
import { treasuryKey } from '../../ledger/account-keys.ts'
import { availableOn, lockAccounts, openAccounts } from '../../ledger/accounts.ts'
import { post, type Transfer } from '../../ledger/post.ts'
import type { CardWithMoney } from '../card.ts'
import type { Mine } from '../controls/own-card.ts'
import { isExpired } from '../policy.ts'
import { lockCards, saveCards } from '../store.ts'
import { autopayOnly } from '../token.ts'
import { allocation, insufficientBalance } from './issue.ts'

/** `amount` as the caller sent it, in whole units of the card's asset. */
export type TopUp = Mine & { amount: string | number; chain: Assets }
type Funded = { kind: 'funded'; card: CardWithMoney; amount: Amount; asset: Asset }
export type TopUpOutcome = Funded | Refusal

/** Tops up ACTIVE cards from their wallets' treasury balances; limit and money grow together. Decides in order. */
export async function fundCards(tx: Tx, at: Date, topUps: TopUp[]): Promise<TopUpOutcome[]> {
  const cards = await lockCards(
    tx,
    topUps.map((topUp) => topUp.cardId),
  )
  const assets = topUps.map(({ cardId, chain }) => {
    const card = cards.get(cardId)
    return card ? assetOf(chain, card) : defaultAsset(chain)
  })
  const treasuries = await openAccounts(
    tx,
    topUps.map((topUp, i) => treasuryKey(assets[i] as Asset, topUp.walletAddress)),
  )
  const locked = await lockAccounts(tx, treasuries)
  const left = new Map([...locked].map(([id, account]) => [id, availableOn(account)]))
  const transfers: Transfer[] = []
  const outcomes = topUps.map((topUp, i): TopUpOutcome => {
    const card = cards.get(topUp.cardId)
    if (!card || card.walletAddress !== topUp.walletAddress) return refuse(notFound('card'))
    const problem = stateProblem(card, at)
    if (problem) return refuse(problem)
    const asset = assets[i] as Asset
    const amount = readPositiveAmount(topUp.amount, asset.decimals)
    if (amount instanceof Problem) return refuse(amount)
    const treasury = treasuries[i] as bigint
    const available = left.get(treasury) ?? ZERO
    if (available < amount)
      return refuse(insufficientBalance({ available, requested: amount, asset }))
    left.set(treasury, minus(available, amount))
    const funded = {
      ...card,
      limitAmount: plus(card.limitAmount, amount),
      available: plus(card.available, amount),
    }
    cards.set(card.id, funded)
    transfers.push(
      allocation('card_fund', newId('trf', at), { treasury, card: funded, value: amount }),
    )
    return { kind: 'funded', card: funded, amount, asset }
  })
  const changed = new Set(
    outcomes.flatMap((outcome) => (outcome.kind === 'funded' ? [outcome.card.id] : [])),
  )
  await saveCards(
    tx,
    [...cards.values()].filter((card) => changed.has(card.id)),
  )
  await post(tx, at, transfers)
  await record(
    tx,
    at,
    outcomes.flatMap((outcome) => (outcome.kind === 'funded' ? [fundedEvent(outcome)] : [])),
  )
  return outcomes
}

/** Why the card takes no money from a treasury balance; undefined if it does. */
function stateProblem(card: CardWithMoney, at: Date): Problem | undefined {
  if (card.kind === 'autopay') return autopayOnly()
  const status = isExpired(card, at) && card.status === 'ACTIVE' ? 'EXPIRED' : card.status
  if (status !== 'ACTIVE')
    return new Problem('invalid_state', `Only an ACTIVE card can be funded; this one is ${status}.`)
  if (card.ancestors.length > 0)
    return new Problem(
      'invalid_state',
      'A child card has the money that the card above gave it. Issue another child for more.',
    )
  if (card.settlementMode === 'DIRECT')
    return new Problem('invalid_state', 'A DIRECT card holds no money, so it cannot be funded.')
  return undefined
}

/** The lane of `POST /api/cards/{id}/fund`. */
export const fundLane: Lane<TopUp, TopUpOutcome> = { name: 'fund', run: fundCards }

const fundedEvent = ({ asset, amount, card }: Funded): BuiltEvent =>
  cardFunded.of({
    walletAddress: card.walletAddress,
    asset,
    data: { card_id: card.id, added: amount, new_limit: card.limitAmount },
  })
