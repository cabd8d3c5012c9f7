/** Payers that pay all the time, one payment after the other, each by its own key until it has an answer. */
import { randomHex } from '../packages/service/src/base/kernel/secrets.ts'
import { emptyWorld } from '../packages/service/test/crash/acts/moves.ts'
import { openBuyer } from '../packages/service/test/crash/acts/players.ts'
import { ask } from '../packages/service/test/crash/client.ts'
import type { Stage } from '../packages/service/test/crash/stage.ts'
import { pause } from '../packages/service/test/until.ts'

const AMOUNT = 10_000n
const AGAIN_MS = 100
/** Without it a payer takes a whole core. */
const BETWEEN_MS = 25
const LATER = [
  'idempotency_in_progress',
  'settlement_pending',
  'overloaded',
  'pay_link_busy',
  'rate_limited',
]

/** A payment as its payer knows it. `failed`: attempts without an answer, or with one of 500 or more. */
export type Payment = {
  key: string
  payer: number
  settlement?: string
  refusal?: string
  begunAt: number
  /** When its answer came; 0 before. */
  at: number
  failed: number
}
type Payer = { key: string; card: { id: string; token: string }; code: string }
export type Shop = { stage: Stage; payers: Payer[]; payments: Payment[] }

/** Wallets with a card each, and a seller's link. The service must be running. */
export async function openShop(stage: Stage, count: number): Promise<Shop> {
  const config = await ask(stage.baseUrl, { method: 'GET', path: '/api/config' })
  const { treasury, operator } = config?.body ?? {}
  const world = emptyWorld({ stage, seller: undefined as never, treasury: treasury.evm, operator })
  const must = async (path: string, key: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${key}` }
    const reply = await ask(stage.baseUrl, { method: body ? 'POST' : 'GET', path, body, headers })
    if (reply?.status !== 200) throw new Error(`${path}: ${JSON.stringify(reply)}`)
    return reply.body
  }
  const seller = await openBuyer(world)
  const till = await must('/api/issue', seller.key, { purpose: 'till', limit_amount: 1 })
  const link = await must('/api/paylinks', seller.key, {
    card_id: till.card.id,
    amount: 0.01,
    max_uses: 0,
  })
  const payers: Payer[] = []
  for (let i = 0; i < count; i++) {
    const buyer = await openBuyer(world)
    const { card } = await must('/api/issue', buyer.key, { purpose: 'drill', limit_amount: 5_000 })
    payers.push({ key: buyer.key, card, code: link.code })
  }
  return { stage, payers, payments: [] }
}

/** Asks once. Returns true once the payment has its final answer. */
async function tryOnce(shop: Shop, payment: Payment): Promise<boolean> {
  const payer = shop.payers[payment.payer] as Payer
  const reply = await ask(shop.stage.baseUrl, {
    method: 'POST',
    path: `/api/pay/${payer.code}/settle`,
    body: { payer_card_id: payer.card.id, payer_card_token: payer.card.token },
    headers: { authorization: `Bearer ${payer.key}`, 'idempotency-key': payment.key },
  })
  if (reply?.status === 200) {
    payment.settlement = reply.body.settlement_id
    return true
  }
  if (!reply || reply.status >= 500) payment.failed++
  else if (!LATER.includes(reply.body?.code)) {
    payment.refusal = `${reply.status} ${JSON.stringify(reply.body)}`
    return true
  }
  return false
}

/** One payment, repeated by the same key until it has an answer. */
export async function pay(shop: Shop, payer: number): Promise<Payment> {
  const payment = begin(shop, payer)
  await insist(shop, payment)
  return payment
}

/** Sends one payment, by one key, to two machines at once. Both answer it in the end. */
export async function payAtBoth(shop: Shop, other: Shop, payer: number): Promise<string[]> {
  const payment = begin(shop, payer)
  const again = { ...payment }
  await Promise.all([insist(shop, payment), insist(other, again)])
  return payment.settlement === again.settlement
    ? []
    : [`one key was answered with ${payment.settlement} and ${again.settlement}`]
}

function begin(shop: Shop, payer: number): Payment {
  const payment: Payment = {
    key: randomHex(12),
    payer,
    begunAt: performance.now(),
    at: 0,
    failed: 0,
  }
  shop.payments.push(payment)
  return payment
}

export async function insist(shop: Shop, payment: Payment): Promise<void> {
  while (!(await tryOnce(shop, payment))) await pause(AGAIN_MS)
  payment.at = performance.now()
}

/** All payers pay until `stop`, which waits for the answers of what they have begun. */
export function startLoad(shop: Shop) {
  // The shop's own list has the payments of other loads, too.
  const mine: Payment[] = []
  const startedAt = performance.now()
  let isStopping = false
  const all = shop.payers.map(async (_, i) => {
    while (!isStopping) {
      const payment = begin(shop, i)
      mine.push(payment)
      await insist(shop, payment)
      await pause(BETWEEN_MS)
    }
  })
  return {
    all: (): readonly Payment[] => mine,
    answered: () => mine.filter(({ at }) => at > 0),
    async stop() {
      isStopping = true
      const stoppedAt = performance.now()
      await Promise.all(all)
      return measure(mine, { startedAt, stoppedAt })
    },
  }
}
export type Load = ReturnType<typeof startLoad>
export type Measured = {
  answered: number
  failed: number
  refused: string[]
  /** The longest time in which nobody had an answer. */
  gapSeconds: number
  /** The longest time that one payment took, with its repetitions. */
  waitSeconds: number
}

/** In milliseconds, of the payments that have their answer. */
export const longestWait = (payments: readonly Payment[]): number =>
  Math.max(0, ...payments.map(({ at, begunAt }) => at - begunAt))

const toSeconds = (ms: number): number => Math.round(ms / 100) / 10

function measure(
  payments: readonly Payment[],
  { startedAt, stoppedAt }: { startedAt: number; stoppedAt: number },
): Measured {
  // Afterwards the last ones wait for their answers, and nobody begins a payment.
  const answers = payments.map(({ at }) => at).filter((at) => at < stoppedAt)
  const times = [startedAt, ...answers.sort((a, b) => a - b), stoppedAt]
  const gaps = times.slice(1).map((at, i) => at - (times[i] as number))
  return {
    answered: payments.filter(({ settlement }) => settlement).length,
    failed: payments.reduce((sum, { failed }) => sum + failed, 0),
    refused: payments.flatMap(({ refusal }) => refusal ?? []),
    gapSeconds: toSeconds(Math.max(0, ...gaps)),
    waitSeconds: toSeconds(longestWait(payments)),
  }
}

export type Difference = { lost: string[]; doubled: string[]; faults: string[] }

/** Compares what payers were answered with the books: by the API, by the rows, and by `purser verify`. */
export async function compare(shop: Shop): Promise<Difference> {
  const { stage, payers, payments } = shop
  const answered = payments.flatMap(({ settlement }) => settlement ?? [])
  const rows = await stage.query<{ id: string }>(
    `select id from settlements where protocol = 'card' and state = 'settled'`,
  )
  const booked = new Set(rows.map(({ id }) => id))
  const known = new Set(answered)
  const faults: string[] = []
  if (known.size !== answered.length)
    faults.push(
      `${answered.length - known.size} payments were answered with the settlement of another`,
    )
  for (const [i, { key, card }] of payers.entries()) {
    const headers = { authorization: `Bearer ${key}` }
    const reply = await ask(stage.baseUrl, {
      method: 'GET',
      path: `/api/cards/${card.id}`,
      headers,
    })
    const shown = reply?.body.card ?? reply?.body
    const mine = payments.filter(({ payer, settlement }) => payer === i && settlement).length
    const spent = Math.round(Number(shown?.spent) * 1e6)
    if (BigInt(spent || 0) !== AMOUNT * BigInt(mine))
      faults.push(`the card of payer ${i} has spent ${spent}, and ${mine} payments were answered`)
  }
  const { code, output } = await stage.command(['verify', '--json'])
  if (code !== 0) faults.push(`verify ended with ${code}: ${output.slice(0, 1500)}`)
  return {
    lost: answered.filter((id) => !booked.has(id)),
    doubled: [...booked].filter((id) => !known.has(id)),
    faults,
  }
}
