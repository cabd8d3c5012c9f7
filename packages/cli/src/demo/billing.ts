import { randomBytes } from 'node:crypto'
import { type Card, createApiKey, createPurser, type Purser } from '@purser/sdk'
import type { DevFile } from '../context.ts'
import { Fault } from '../fault.ts'
import { walletOf } from '../wallet.ts'

type Tell = (line: string) => void
type Agreement = Awaited<ReturnType<typeof readAgreement>>['agreement']
type Stage = { payer: Purser; merchant: Purser; tell: Tell }

/** Enough for half a year: then the card must be funded, and the charge is retried. */
const LIMIT = '30'
const FUND = '40'
const PLANS = [
  { name: 'monthly', amount: '2', period: { period_months: 1 } },
  { name: 'weekly', amount: '0.5', period: { period_days: 7 } },
] as const
const CHARGE_PATIENCE_MS = 20_000
const NEAR_MS = 10_000
const DAY_MS = 86_400_000

export type BillingResult = {
  ok: boolean
  agreements: { plan: string; agreement: Agreement; charges: string[] }[]
  days: number
  checks: { check: string; expected: string; actual: string; ok: boolean }[]
}

/** A year of two agreements on a running local service, whose clock it moves from charge to charge. */
export async function runBilling(
  dev: DevFile,
  { say, months }: { say: Tell; months: number },
): Promise<BillingResult> {
  let step = 0
  const tell: Tell = (line) => say(`${++step}. ${line}`)
  const wallet = walletOf(randomBytes(32).toString('hex'))
  const apiKey = await createApiKey({ baseUrl: dev.base_url }, wallet)
  const stage: Stage = {
    payer: createPurser({ baseUrl: dev.base_url, apiKey: dev.demo.api_key }),
    merchant: createPurser({ baseUrl: dev.base_url, apiKey }),
    tell,
  }
  tell(`A merchant signed in: ${wallet.address}.`)
  const card = await stage.payer.issueCard({ purpose: 'Purser demo, billing', limit_amount: LIMIT })
  tell(`Issued card ${card.id} with ${LIMIT} USDC.`)
  const made: Agreement[] = []
  for (const plan of PLANS) made.push(await agree(stage, { card, plan, merchant: wallet.address }))
  const days = await liveOn(stage, { card, ids: made.map(({ id }) => id), months })
  return report(stage, { card, made, days })
}

/** The payer lets the merchant charge the card, up to the budget of an open mandate. */
async function agree(
  { payer, tell }: Stage,
  of: { card: Card; plan: (typeof PLANS)[number]; merchant: string },
): Promise<Agreement> {
  const { card, plan, merchant } = of
  const terms = {
    payer_card_id: card.id,
    merchant_wallet: merchant,
    amount: plan.amount,
    trigger_type: 'interval' as const,
    ...plan.period,
  }
  const { content } = await payer.POST('/api/billing/agreements/prepare', {
    body: { ...terms, expires_in: 24 * 400 },
  })
  const { mandate } = await payer.POST('/api/ap2/open-mandate', {
    body: { card_id: card.id, card_token: card.token, content },
  })
  const { agreement } = await payer.POST('/api/billing/agreements', {
    body: { ...terms, card_token: card.token, open_mandate: mandate, plan_ref: plan.name },
  })
  tell(
    `Agreed on ${plan.amount} USDC ${plan.name}, and paid the first: ${agreement.id}, next ${day(agreement.next_charge_at)}.`,
  )
  return agreement
}

/** Moves the clock from one charge to the next until the months are over. Returns the days that have passed. */
async function liveOn(
  stage: Stage,
  { card, ids, months }: { card: Card; ids: string[]; months: number },
): Promise<number> {
  const { payer, tell } = stage
  const { now: start } = await payer.POST('/api/dev/clock', { body: { advance_seconds: 1 } })
  const end = new Date(start)
  end.setUTCMonth(end.getUTCMonth() + months)
  for (let now = new Date(start); ; ) {
    const due = await Promise.all(ids.map((id) => readAgreement(payer, id)))
    const next = Math.min(
      end.getTime(),
      ...due.flatMap(({ agreement: { next_attempt_at: at } }) => (at ? [Date.parse(at)] : [])),
    )
    if (now >= end) return Math.round((end.getTime() - Date.parse(start)) / DAY_MS)
    if (next <= now.getTime()) throw new Fault('A charge that was due was not made.')
    now = await moveTo(payer, next + 1_000)
    for (const id of ids) {
      const { agreement, charges } = await untilCharged(payer, id, now)
      if (agreement.status !== 'PAST_DUE') continue
      tell(
        `${day(now.toISOString())}: the charge of ${charges[0]?.period_key} failed, ${charges[0]?.error}; it is retried ${day(agreement.next_attempt_at)}. Put ${FUND} USDC on the card.`,
      )
      await payer.POST('/api/cards/{id}/fund', {
        params: { path: { id: card.id } },
        body: { amount: FUND },
      })
    }
  }
}

/** Moves the clock to a time in ms. It runs on meanwhile, so a time that is nearly there or past is not asked for. */
async function moveTo(payer: Purser, time: number): Promise<Date> {
  const { now } = await payer.POST('/api/dev/clock', { body: { advance_seconds: 1 } })
  if (time - Date.parse(now) < NEAR_MS) return new Date(now)
  const moved = await payer.POST('/api/dev/clock', { body: { now: new Date(time).toISOString() } })
  return new Date(moved.now)
}

/** Waits until the service's job has looked at the agreement. */
async function untilCharged(purser: Purser, id: string, now: Date) {
  const deadline = performance.now() + CHARGE_PATIENCE_MS
  for (;;) {
    const read = await readAgreement(purser, id)
    const { next_attempt_at: next } = read.agreement
    if (next === null || Date.parse(next) > now.getTime()) return read
    if (performance.now() > deadline) throw new Fault(`Agreement ${id} was not charged in time.`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const readAgreement = (purser: Purser, id: string) =>
  purser.GET('/api/billing/agreements/{id}', { params: { path: { id } } })

async function report(
  { payer, merchant, tell }: Stage,
  { card, made, days }: { card: Card; made: Agreement[]; days: number },
): Promise<BillingResult> {
  const agreements: BillingResult['agreements'] = []
  for (const [i, { id }] of made.entries()) {
    const { agreement, charges } = await readAgreement(merchant, id)
    const dates = charges
      .map((charge) => `${charge.period_key} ${day(charge.created_at)}`)
      .reverse()
    agreements.push({ plan: PLANS[i]?.name ?? '', agreement, charges: dates })
    tell(
      `${days} days later ${agreement.plan_ref} is ${agreement.status}: ${agreement.charges_made} charges, ${agreement.total_charged} USDC.`,
    )
  }
  for (const { id } of made)
    await payer.POST('/api/billing/agreements/{id}/cancel', {
      params: { path: { id } },
      body: {},
    })
  tell('Cancelled both: nothing more is charged.')
  const total = agreements.reduce((sum, { agreement }) => sum + agreement.total_charged, 0)
  const { card: after } = await payer.GET('/api/cards/{id}', { params: { path: { id: card.id } } })
  const paid = agreements.map(({ agreement, charges }) => ({
    check: `${agreement.plan_ref}: each charge is of a period of its own`,
    expected: String(agreement.charges_made),
    actual: String(new Set(charges.map((charge) => charge.split(' ')[0])).size),
  }))
  const checks = [
    {
      check: 'the card spent what was charged',
      expected: String(total),
      actual: String(after.spent),
    },
    ...paid.filter(({ expected }) => Number(expected) <= 100),
  ].map((one) => ({ ...one, ok: one.expected === one.actual }))
  const ok = checks.every((one) => one.ok)
  for (const { check, ok: isRight } of checks) tell(`${isRight ? 'ok' : 'WRONG'}: ${check}.`)
  tell(
    `The clock of the service stays ${days} days ahead, and x402 clients sign by today's. A new data folder starts today.`,
  )
  return { ok, agreements, days, checks }
}

const day = (iso: string | null): string => iso?.slice(0, 10) ?? 'never'
