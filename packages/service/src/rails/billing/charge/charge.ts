import type { Uses } from '../../../api/http/services.ts'
import { refuseStale, send, type Tx } from '../../../base/db/sql.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import type { SealKeys } from '../../../base/kernel/secrets.ts'
import { Ap2Refusal } from '../../../base/protocols/ap2/refusal.ts'
import { assetOf } from '../../../chain/client/rails.ts'
import type { Agreement, Charge } from '../../../members/agreements/agreement.ts'
import {
  insertChargesStatement,
  saveAgreementsStatement,
  saveChargesStatement,
} from '../../../members/agreements/store.ts'
import { topUpMeter } from '../../../members/meter/top-up.ts'
import { type JudgedMandate, writeBooks } from '../../ap2/settle/settle.ts'
import { attemptCharge, type Decided, refused, soldCard } from './attempt.ts'
import { type Funding, openFunding } from './funding.ts'
import { type ChargePayee, judgeCharge } from './judge.ts'
import { afterAttempt, type Charged } from './outcome.ts'
import { type ChargeRows, readChargeRows } from './rows.ts'

/** A charge to attempt. Its row exists if `isRetry`. */
export type Due = { agreement: Agreement; charge: Charge; isRetry: boolean }
/** The same with the funds of the agreement, or why they do not open. */
export type Opened = Due & { funding: Funding | Problem }

export const opened = (due: Due, sealKey: SealKeys): Opened => ({
  ...due,
  funding: openFunding(due.agreement, sealKey),
})

/** Decides charges, one after the other, on rows that it reads. It writes nothing. */
export async function decideCharges(
  tx: Tx,
  at: Date,
  {
    services,
    dues,
  }: { services: Uses<'chain' | 'db' | 'settings' | 'signing'>; dues: readonly Opened[] },
): Promise<{ rows: ChargeRows; decided: Decided[] }> {
  const rows = await readChargeRows(tx, at, {
    services,
    agreements: dues.map(({ agreement }) => agreement),
    rootKids: dues.flatMap(({ funding }) =>
      funding instanceof Problem ? [] : (funding.rootKid ?? []),
    ),
  })
  const decided: Decided[] = []
  for (const due of dues) decided.push(await decide(tx, at, { services, rows, due }))
  return { rows, decided }
}

type Deciding = {
  services: Uses<'chain' | 'db' | 'settings' | 'signing'>
  rows: ChargeRows
  due: Opened
}

async function decide(tx: Tx, at: Date, { services, rows, due }: Deciding): Promise<Decided> {
  // The meter may have been filled since the charge was asked for, or since it failed.
  if (isCovered(rows, due.agreement)) return { attempt: { kind: 'not_needed' } }
  const judged = await judgeDue(tx, at, { services, rows, due })
  if (!('presentation' in judged)) return judged
  const { agreement, charge } = due
  return attemptCharge(rows, { services, judged, order: { agreement, charge } })
}

/** Whether the meter of a threshold agreement holds its floor, so that there is nothing to charge for. */
const isCovered = ({ balances }: ChargeRows, { payerWallet, thresholdFloor }: Agreement): boolean =>
  thresholdFloor !== null && (balances.get(payerWallet) ?? 0n) >= thresholdFloor

/** The judged mandate of a charge, or the refusal of one that has none. */
export async function judgeDue(
  tx: Tx,
  at: Date,
  { services, rows, due }: Deciding,
): Promise<JudgedMandate | Decided> {
  const { agreement, charge, funding } = due
  if (funding instanceof Problem) return refused(funding)
  const { payerWallet, payLinkCode, merchantWallet } = agreement
  const card = rows.cards.get(agreement.payerCardId ?? '')
  const payer = rows.books.batch.cards.get(agreement.payerCardId ?? '')
  if (card?.walletAddress !== payerWallet || payer?.walletAddress !== payerWallet) return soldCard()
  // The keys were read after the card, and it may have changed in between: all is read and locked again.
  if (card.keysVersion !== payer.keysVersion) await refuseStale(tx)
  const link = payLinkCode === null ? undefined : rows.links.get(payLinkCode)
  const payee: ChargePayee = link ? { link } : { wallet: merchantWallet }
  const serviceKey = rows.serviceKeys.get(funding.rootKid ?? '')
  const judged = await judgeCharge(services, at, {
    agreement,
    charge,
    funding,
    payee,
    card,
    serviceKey,
  })
  return judged instanceof Ap2Refusal ? refused(judged) : judged
}

/** Writes decided charges of locked agreements, and the ends of others, in one go. */
export async function writeCharges(
  tx: Tx,
  at: Date,
  of: {
    services: Uses<'chain'>
    rows: ChargeRows
    dues: readonly Due[]
    decided: readonly Decided[]
  },
): Promise<void> {
  const { services, rows, dues, decided } = of
  const results = dues.map((due, i): Charged => {
    const { attempt } = decided[i] as Decided
    const asset = assetOf(services.chain, due.agreement)
    return afterAttempt(at, { ...due, asset }, attempt)
  })
  for (const { events } of results) rows.books.batch.events.push(...events)
  const isWritten = (isRetry: boolean) =>
    results.flatMap(({ charge }, i) => (charge && dues[i]?.isRetry === isRetry ? [charge] : []))
  send(tx, saveAgreementsStatement(results.map(({ agreement }) => agreement)))
  send(tx, insertChargesStatement(isWritten(false)))
  send(tx, saveChargesStatement(isWritten(true)))
  writeBooks(tx, rows.books)
  for (const [i, { agreement }] of results.entries())
    await topUpIfPaid(tx, at, { services, agreement, decided: decided[i] as Decided })
}

/** A threshold's payment has reached the meter, which now pays what it owes. */
export async function topUpIfPaid(
  tx: Tx,
  at: Date,
  of: { services: Uses<'chain'>; agreement: Agreement; decided: Decided },
): Promise<void> {
  const { services, agreement, decided } = of
  const { attempt } = decided
  if (agreement.triggerType !== 'threshold' || attempt.kind !== 'paid') return
  const { payerWallet: walletAddress, amount, id } = agreement
  const asset = assetOf(services.chain, agreement)
  await topUpMeter(tx, at, {
    walletAddress,
    asset,
    amount,
    agreement: { id, settlementId: attempt.settlementId },
  })
}
