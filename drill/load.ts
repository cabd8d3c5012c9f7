/** Payers that pay all the time, one payment after the other, each by its own key until it has an answer. */
import { randomHex } from '../packages/service/src/base/kernel/secrets.ts'
import { emptyWorld } from '../packages/service/test/crash/acts/moves.ts'
import { openBuyer } from '../packages/service/test/crash/acts/players.ts'
import { ask } from '../packages/service/test/crash/client.ts'
import type { Stage } from '../packages/service/test/crash/stage.ts'
import { pause, until } from '../packages/service/test/until.ts'

export const AMOUNT = 10_000n
const AGAIN_MS = 100
/** Without it a payer takes a whole core. */
const BETWEEN_MS = 25
/** Payments that have no answer so long after the others have stopped never get one. */
const LAST_MS = 120_000
const SHOWN_MS = 60_000
const PATIENCE_MS = 300_000
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
export type Payer = { key: string; card: { id: string; token: string }; code: string }
/** `before` is what the books had when the payments of `payments` began: by `fromNow`. */
export type Shop = { stage: Stage; payers: Payer[]; payments: Payment[]; before: Sums }
type Sums = { booked: ReadonlySet<string>; spent: readonly bigint[] }

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
  return fromNow({ stage, payers })
}

/** The same payers, with sums that begin now: what an act before has left is not the fault of this one. */
export async function fromNow({ stage, payers }: Pick<Shop, 'stage' | 'payers'>): Promise<Shop> {
  return { stage, payers, payments: [], before: await readSums({ stage, payers }) }
}

/** The payments in the books, and what each payer's card has spent by the API. */
async function readSums({ stage, payers }: Pick<Shop, 'stage' | 'payers'>): Promise<Sums> {
  const rows = await stage.query<{ id: string }>(
    `select id from settlements where protocol = 'card' and state = 'settled'`,
  )
  const spent: bigint[] = []
  for (const { key, card } of payers) {
    const headers = { authorization: `Bearer ${key}` }
    const request = { method: 'GET', path: `/api/cards/${card.id}`, headers }
    const reply = await until(
      () => ask(stage.baseUrl, request),
      (seen) => seen?.status === 200,
      { everyMs: AGAIN_MS, longestMs: SHOWN_MS },
    )
    spent.push(BigInt(Math.round(Number(reply?.body.card.spent) * 1e6)))
  }
  return { booked: new Set(rows.map(({ id }) => id)), spent }
}

/** Asks once. Returns true once the payment has its final answer. */
async function tryOnce(shop: Shop, payment: Payment, signal?: AbortSignal): Promise<boolean> {
  const payer = shop.payers[payment.payer] as Payer
  const reply = await ask(shop.stage.baseUrl, {
    method: 'POST',
    path: `/api/pay/${payer.code}/settle`,
    body: { payer_card_id: payer.card.id, payer_card_token: payer.card.token },
    headers: { authorization: `Bearer ${payer.key}`, 'idempotency-key': payment.key },
    ...(signal && { signal }),
  })
  if (signal?.aborted) return true
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
export async function pay(shop: Shop, payer: number, signal?: AbortSignal): Promise<Payment> {
  const payment = begin(shop, payer)
  await insist(shop, payment, signal)
  return payment
}

/** One request of a payer. */
export const askAs = (
  shop: Shop,
  payer: number,
  request: { method: string; path: string; body?: unknown },
) => {
  const headers = { authorization: `Bearer ${shop.payers[payer]?.key}` }
  return ask(shop.stage.baseUrl, { ...request, headers })
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

/** Repeats the payment until it has an answer, or it is given up. */
export async function insist(shop: Shop, payment: Payment, signal?: AbortSignal): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!(await tryOnce(shop, payment, signal))) {
    if (performance.now() > end)
      throw new Error(`a payment has no answer after ${PATIENCE_MS / 1000} s`)
    await pause(AGAIN_MS)
  }
  if (!signal?.aborted) payment.at = performance.now()
}

/**
 * All payers pay until `stop`, which waits for the answers of what they have begun. Whoever leaves without it gives up what has
 * no answer yet.
 */
export function startLoad(shop: Shop) {
  // The shop's own list has the payments of other loads, too.
  const mine: Payment[] = []
  const faults: string[] = []
  const startedAt = performance.now()
  const givenUp = new AbortController()
  let isStopping = false
  const keepPaying = async (payer: number) => {
    while (!isStopping) {
      const payment = begin(shop, payer)
      mine.push(payment)
      await insist(shop, payment, givenUp.signal)
      await pause(BETWEEN_MS)
    }
  }
  const all = Promise.all(
    shop.payers.map((_, i) =>
      keepPaying(i).catch((error: Error) => void faults.push(`payer ${i}: ${error.message}`)),
    ),
  )
  const answered = () => mine.filter(({ at }) => at > 0)
  async function end(): Promise<void> {
    isStopping = true
    givenUp.abort()
    await all
  }
  return {
    all: (): readonly Payment[] => mine,
    answered,
    async stop(): Promise<Measured> {
      isStopping = true
      const stoppedAt = performance.now()
      const timer = setTimeout(() => givenUp.abort(), LAST_MS)
      await all
      clearTimeout(timer)
      const open = mine.length - answered().length
      if (open > 0) faults.push(`${open} payments had no answer ${LAST_MS / 1000} s later`)
      return measure(mine, { startedAt, stoppedAt, faults })
    },
    [Symbol.asyncDispose]: end,
  }
}
export type Load = ReturnType<typeof startLoad>
export type Measured = {
  answered: number
  failed: number
  /** Payments that were refused, and payers who gave up. */
  faults: string[]
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
  { startedAt, stoppedAt, faults }: { startedAt: number; stoppedAt: number; faults: string[] },
): Measured {
  // Afterwards the last ones wait for their answers, and nobody begins a payment.
  const answers = payments.map(({ at }) => at).filter((at) => at > 0 && at < stoppedAt)
  const times = [startedAt, ...answers.sort((a, b) => a - b), stoppedAt]
  const gaps = times.slice(1).map((at, i) => at - (times[i] as number))
  return {
    answered: payments.filter(({ settlement }) => settlement).length,
    failed: payments.reduce((sum, { failed }) => sum + failed, 0),
    faults: [...payments.flatMap(({ refusal }) => refusal ?? []), ...faults],
    gapSeconds: toSeconds(Math.max(0, ...gaps)),
    waitSeconds: toSeconds(longestWait(payments)),
  }
}

export type Difference = { lost: string[]; doubled: string[]; faults: string[] }

/** Compares what payers were answered with the books: by the API, by the rows, and by `purser verify`. */
export async function compare(shop: Shop): Promise<Difference> {
  const { stage, payers, payments, before } = shop
  const answered = payments.flatMap(({ settlement }) => settlement ?? [])
  const now = await readSums(shop)
  const known = new Set([...before.booked, ...answered])
  const faults: string[] = []
  const different = new Set(answered).size
  if (different !== answered.length)
    faults.push(
      `${answered.length - different} payments were answered with the settlement of another`,
    )
  for (const [i, { card }] of payers.entries()) {
    const isMine = ({ payer }: Payment) => payers[payer]?.card.id === card.id
    const mine = payments.filter((payment) => payment.settlement && isMine(payment)).length
    const spent = (now.spent[i] ?? 0n) - (before.spent[i] ?? 0n)
    if (spent !== AMOUNT * BigInt(mine))
      faults.push(`the card of payer ${i} has spent ${spent}, and ${mine} payments were answered`)
  }
  const { code, output } = await stage.command(['verify', '--json'])
  if (code !== 0) faults.push(`verify ended with ${code}: ${output.slice(0, 1500)}`)
  return {
    lost: [...known].filter((id) => !now.booked.has(id)),
    doubled: [...now.booked].filter((id) => !known.has(id)),
    faults,
  }
}
