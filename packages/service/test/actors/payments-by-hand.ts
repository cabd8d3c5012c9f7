/** Payments of cards at times that the test names, through the functions that every rail ends in. */
import type { Id } from '../../src/base/kernel/ids.ts'
import { newId } from '../../src/base/kernel/ids.ts'
import { amount } from '../../src/base/kernel/money.ts'
import { notFound, refuse } from '../../src/base/kernel/problem.ts'
import type { CardRail, Rail } from '../../src/base/protocols/rails.ts'
import { tierAt } from '../../src/members/membership/store.ts'
import { captureOnCard, holdOnCard, releaseOnCard } from '../../src/money/cards/debit.ts'
import { lockCard } from '../../src/money/cards/store.ts'
import { houseKey } from '../../src/money/ledger/account-keys.ts'
import { openAccount } from '../../src/money/ledger/accounts.ts'
import { post } from '../../src/money/ledger/post.ts'
import { newBatch, readBatch } from '../../src/money/settlements/batch.ts'
import { readWalletPayees } from '../../src/money/settlements/payee.ts'
import { settle } from '../../src/money/settlements/settle.ts'
import { writeBatch } from '../../src/money/settlements/write.ts'
import type { World } from '../world.ts'

export type Payment = { at: Date; units: bigint; wallet: string; mcc: string | null; rail: Rail }

/** Settles payments of a card in one batch, and answers `ok` or the code of each refusal. */
export const settleByHand = (
  w: World,
  cardId: string,
  payments: readonly (Payment & { rail: CardRail })[],
): Promise<string[]> =>
  w.write(async (tx) => {
    const at = payments[0]?.at ?? w.now()
    const { asset } = w.chain
    const wallets = payments.map(({ wallet }) => wallet)
    const payees = await readWalletPayees(tx, { wallets, asset, tierOf: tierAt(at) })
    const batch = newBatch(at, await readBatch(tx, at, { cardIds: [cardId], assets: [asset] }))
    const outcomes = payments.map(({ wallet, units, mcc, rail }) => {
      const [payer, payee] = [batch.cards.get(cardId), payees.get(wallet)]
      if (!payer || !payee) return refuse(notFound('card'))
      const { fee } = w.services.settings
      return settle(batch, {
        ...{ payer, payee: { ...payee, mcc }, amount: amount(units), rail, asset, fee },
      })
    })
    writeBatch(tx, batch)
    return outcomes.map((one) => (one.kind === 'settled' ? 'ok' : one.problem.code))
  })

export type HeldByHand = { cardId: string; holdId: Id<'hold'>; units: bigint; heldAt: Date }

/** Holds a payment on a card, and answers the hold or the code of the refusal. */
export const holdByHand = (
  w: World,
  cardId: string,
  { at, units, wallet, mcc, rail }: Payment,
): Promise<HeldByHand | string> =>
  w.write(async (tx) => {
    const card = await lockCard(tx, cardId)
    if (!card) throw notFound('card')
    const spend = { amount: amount(units), merchants: ['api.shop.example', wallet], mcc, rail }
    const ref = newId('txn', at)
    const made = await holdOnCard(tx, at, { card, spend, ref, asset: w.chain.asset })
    if (made.kind === 'declined') return made.denied.rule
    return { cardId, holdId: made.holdId, units, heldAt: at }
  })

/** Ends a hold: `used` units of it are spent, and the rest goes back. */
export const endByHand = (
  w: World,
  at: Date,
  { cardId, holdId, units, heldAt, used }: HeldByHand & { used: bigint },
): Promise<void> =>
  w.write(async (tx) => {
    const held = { cardId, holdId, amount: amount(units) }
    if (used === 0n) {
      await releaseOnCard(tx, at, { ...held, heldAt })
      return
    }
    const card = await captureOnCard(tx, at, { ...held, used: { amount: amount(used), heldAt } })
    if (!card) throw new Error('the hold was open')
    const fees = await openAccount(tx, houseKey(w.chain.asset, 'fees'))
    const entries = [
      { account: card.accountId, amount: -used },
      { account: fees, amount: used },
    ]
    await post(tx, at, [{ kind: 'fee', ref: holdId, entries }])
  })
