import { inspect } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readUsdcBalance } from '../src/chain/reads.ts'
import { sql } from '../src/db/sql.ts'
import { randomHex } from '../src/kernel/secrets.ts'
import { readLiabilities } from '../src/ledger/verify.ts'
import { custodyAddresses } from '../src/pay-links/sweep.ts'
import { authorizationTypedData } from '../src/protocols/eip3009/authorization.ts'
import { type Challenge, readChallenges, writeChallenge } from '../src/protocols/mpp/challenge.ts'
import { writeCredential } from '../src/protocols/mpp/credential.ts'
import { challengeNonce, evmPayload } from '../src/protocols/mpp/evm.ts'
import { compareCustody } from '../src/reconcile/compare.ts'
import { watchOnce } from '../src/watcher/pass.ts'
import { type Reply, type User, type World, world } from './world.ts'
import { handMadeSeller, paymentResponse, type Seller } from './x402-sellers.ts'

type Held = { id: string; token: string }
type Player = {
  user: User
  cards: Held[]
  links: { code: string; address: string; amount: number | null }[]
  received: string[]
  streams: { id: string; card: Held }[]
}
type Stage = { w: World; players: Player[]; seller: Seller; replies: Reply[] }
/** One step of a history: what, by whom, and two numbers that pick the rest. */
type Step = { act: keyof typeof ACTS; who: number; a: number; b: number }

/** A seller outside that settles each payment, then serves. One at a time: it has one nonce. */
function honestSeller(): Promise<Seller> {
  let last: Promise<unknown> = Promise.resolve()
  return handMadeSeller({
    amount: 250_000n,
    maxTimeoutSeconds: 60,
    serve: ({ response, settle }) => {
      last = last.then(settle).then(
        (hash) =>
          response.writeHead(200, { 'payment-response': paymentResponse(hash) }).end('goods'),
        () => response.writeHead(500).end(),
      )
    },
  })
}

const pick = <T>(list: T[], n: number): T | undefined => list[n % Math.max(list.length, 1)]
/** Three minutes: what nobody closes is over well before the end of a history. */
const STREAM_HOURS = 0.05
const dollars = (n: number): number => ((n % 900) + 1) / 100

type Transfer = { to: `0x${string}`; value: bigint; nonce?: `0x${string}` }

async function signed(s: Stage, who: Player, { to, value, nonce = randomHex(32) }: Transfer) {
  const validBefore = BigInt(Math.floor(Date.now() / 1000) + 600)
  const authorization = {
    from: who.user.account.address,
    to,
    value,
    validAfter: 0n,
    validBefore,
    nonce,
  }
  const signature = await who.user.account.signTypedData(
    authorizationTypedData(s.w.chain.asset, authorization),
  )
  return { authorization, signature }
}

async function walletCredential(s: Stage, p: Player, challenge: Challenge): Promise<string> {
  const { recipient, amount } = challenge.terms as { recipient: `0x${string}`; amount: string }
  const nonce = challengeNonce(challenge)
  const payload = evmPayload(await signed(s, p, { to: recipient, value: BigInt(amount), nonce }))
  return writeCredential({ challenge, payload }).headerValue
}

const agreeByCard = (s: Stage, p: Player, challenge: Challenge, b: number): Promise<Reply> => {
  const card = pick(p.cards, b)
  return s.w.call('POST', '/api/mpp/agentcard', {
    card_id: card?.id ?? 'x',
    card_token: card?.token ?? 'x',
    challenge: writeChallenge(challenge),
  })
}

/** Everything that moves money, each as a caller would do it. A refusal is a fine answer; a 5xx is not. */
const ACTS = {
  async issue(_: Stage, p: Player, a: number, b: number) {
    const reply = await p.user.post('/api/issue', {
      purpose: 'x',
      limit_amount: dollars(a),
      single_use: b % 5 === 0,
      ...(b % 4 === 0 ? { daily_limit: 5 } : {}),
      ...(b % 7 === 0 ? { expires_in: 1 } : {}),
    })
    if (reply.status === 200) p.cards.push({ id: reply.body.card.id, token: reply.body.card.token })
    return reply
  },
  async fund(_: Stage, p: Player, a: number, b: number) {
    return p.user.post(`/api/cards/${pick(p.cards, a)?.id}/fund`, { amount: dollars(b) })
  },
  async freeze(_: Stage, p: Player, a: number, b: number) {
    return p.user.post(`/api/cards/${pick(p.cards, a)?.id}/${b % 2 ? 'freeze' : 'unfreeze'}`)
  },
  async cancel(_: Stage, p: Player, a: number, b: number) {
    return b % 3
      ? p.user.get('/api/balance')
      : p.user.post(`/api/cards/${pick(p.cards, a)?.id}/cancel`)
  },
  async claim(_: Stage, p: Player, a: number, b: number) {
    const card = pick(p.cards, a)
    return p.user.post(`/api/cards/${card?.id}/claim`, {
      token: card?.token ?? 'x',
      ...(b % 2 ? { amount: dollars(b) } : {}),
    })
  },
  async rotate(_: Stage, p: Player, a: number) {
    const card = pick(p.cards, a)
    const reply = await p.user.post(`/api/cards/${card?.id}/rotate-token`)
    if (card && reply.status === 200) card.token = reply.body.card.token
    return reply
  },
  async link(_: Stage, p: Player, a: number, b: number) {
    const amount = b % 4 === 0 ? null : dollars(b)
    const reply = await p.user.post('/api/paylinks', {
      card_id: pick(p.cards, a)?.id ?? 'x',
      amount,
      max_uses: b % 3,
      ...(b % 6 === 0 ? { expires_in: 1 } : {}),
    })
    if (reply.status === 200)
      p.links.push({ code: reply.body.code, address: reply.body.deposit_address, amount })
    return reply
  },
  async unlink(_: Stage, p: Player, a: number, b: number) {
    return b % 4
      ? p.user.get('/api/paylinks')
      : p.user.send('DELETE', `/api/paylinks/${pick(p.links, a)?.code}`)
  },
  async payByCard(s: Stage, p: Player, a: number, b: number) {
    const [seller, card] = [s.players[b % s.players.length]!, pick(p.cards, a)]
    const link = pick(seller.links, b)
    const reply = await s.w.call('POST', `/api/pay/${link?.code}/settle`, {
      payer_card_id: card?.id ?? 'x',
      payer_card_token: card?.token ?? 'x',
      ...(link?.amount === null ? { amount: dollars(a) } : {}),
    })
    if (reply.status === 200) {
      const sides = await sql<{
        id: string
      }>`select id from card_transactions where ref = ${reply.body.settlement_id} and direction = 'received'`.execute(
        s.w.db.reader,
      )
      for (const side of sides.rows) seller.received.push(side.id)
    }
    return reply
  },
  async payByX402(s: Stage, p: Player, a: number, b: number) {
    const link = pick(s.players[b % s.players.length]!.links, b)
    if (!link) return s.w.call('GET', '/api/config')
    const value = BigInt(Math.round((link.amount ?? dollars(a)) * 1e6))
    const { authorization, signature } = await signed(s, p, {
      to: link.address as `0x${string}`,
      value,
    })
    const text = {
      ...authorization,
      value: String(value),
      validAfter: '0',
      validBefore: String(authorization.validBefore),
    }
    const header = Buffer.from(
      JSON.stringify({
        x402Version: 1,
        scheme: 'exact',
        network: 'base-sepolia',
        payload: { signature, authorization: text },
      }),
    ).toString('base64')
    const send = () =>
      s.w.call('GET', `/pay/${link.code}`, undefined, { headers: { 'x-payment': header } })
    const [first] = await Promise.all(a % 3 ? [send()] : [send(), send()])
    return first!
  },
  /** By MPP, with the wallet or with a card; a token of a card may also be left to expire. */
  async payByMpp(s: Stage, p: Player, a: number, b: number) {
    const seller = s.players[b % s.players.length]!
    const link = pick(seller.links, b)
    const query = link?.amount === null ? `?amount=${dollars(a)}` : ''
    const asked = await s.w.call('GET', `/pay/${link?.code}${query}`)
    const { challenges } = readChallenges(asked.headers['www-authenticate'])
    const challenge = challenges[a % 3 === 0 ? 0 : 1]
    if (!challenge) return asked
    const wallet = () => walletCredential(s, p, challenge)
    const agreed = challenge.method === 'evm' ? undefined : await agreeByCard(s, p, challenge, b)
    if (agreed && (agreed.status !== 200 || a % 5 === 0)) return agreed
    const authorization = agreed ? agreed.body.credential : await wallet()
    const send = () =>
      s.w.call('GET', `/pay/${link?.code}`, undefined, { headers: { authorization } })
    const [first] = await Promise.all(a % 3 ? [send()] : [send(), send()])
    return first!
  },
  async payOnChain(s: Stage, p: Player, a: number, b: number) {
    const link = pick(s.players[b % s.players.length]!.links, b)
    if (!link) return s.w.call('GET', '/api/config')
    const value = BigInt(Math.round((a % 3 ? (link.amount ?? 1) : dollars(a)) * 1e6))
    const tx_hash = await s.w.transfer(p.user.account, link.address as `0x${string}`, value)
    await s.w.safe()
    return s.w.call('POST', `/api/pay/${link.code}/settle`, {
      tx_hash,
      from_address: p.user.wallet,
    })
  },
  async deposit(s: Stage, p: Player, a: number, b: number) {
    const tx_hash = await s.w.transfer(
      p.user.account,
      s.w.chain.treasury.address,
      BigInt(Math.round(dollars(a) * 1e6)),
    )
    if (b % 2) {
      const reply = await p.user.post('/api/issue', {
        purpose: 'pay-and-issue',
        limit_amount: dollars(b),
        tx_hash,
      })
      if (reply.status === 200)
        p.cards.push({ id: reply.body.card.id, token: reply.body.card.token })
      return reply
    }
    await s.w.safe()
    const [reply] = await Promise.all([
      p.user.post('/api/fund/verify', { tx_hash }),
      s.players[b % s.players.length]!.user.post('/api/fund/verify', { tx_hash }),
    ])
    return reply
  },
  async depositByAuthorization(s: Stage, p: Player, a: number) {
    const { authorization, signature } = await signed(s, p, {
      to: s.w.chain.treasury.address,
      value: BigInt(Math.round(dollars(a) * 1e6)),
    })
    return p.user.post('/api/fund/authorization', {
      from: authorization.from,
      to: authorization.to,
      value: String(authorization.value),
      valid_after: '0',
      valid_before: String(authorization.validBefore),
      nonce: authorization.nonce,
      signature,
    })
  },
  async payOut(s: Stage, p: Player, a: number, b: number) {
    const card = pick(p.cards, a)
    return p.user.post(
      '/api/pay',
      {
        card_id: card?.id ?? 'x',
        card_token: card?.token ?? 'x',
        url: s.seller.url,
        method: 'GET',
      },
      b % 2 ? { headers: { 'idempotency-key': `k${a % 5}` } } : {},
    )
  },
  async openStream(s: Stage, p: Player, a: number, b: number) {
    const card = pick(p.cards, a)
    const receiver = pick(s.players[b % s.players.length]!.cards, b)
    const reply = await p.user.post('/api/mpp/stream/open', {
      ...{ card_id: card?.id ?? 'x', card_token: card?.token ?? 'x' },
      ...{ budget: dollars(b), tick_amount: dollars(a % 90), expires_in: STREAM_HOURS },
      ...(b % 4 && receiver ? { receiver_card_id: receiver.id } : {}),
    })
    if (card && reply.status === 200) p.streams.push({ id: reply.body.id, card })
    return reply
  },
  /** Some at once: the budget ends in the middle of them. */
  async tick(_: Stage, p: Player, a: number, b: number) {
    const { id = 'x', card } = pick(p.streams, a) ?? {}
    const body = { stream_id: id, card_id: card?.id ?? 'x', card_token: card?.token ?? 'x' }
    const send = () => p.user.post('/api/mpp/stream/tick', body)
    const [first] = await Promise.all(Array.from({ length: 1 + (b % 4) }, send))
    return first!
  },
  async closeStream(s: Stage, p: Player, a: number, b: number) {
    const by = s.players[b % s.players.length]!.user
    const stream_id = pick(p.streams, a)?.id ?? 'x'
    return by.post('/api/mpp/stream/close', { stream_id })
  },
  async refund(_: Stage, p: Player, a: number, b: number) {
    return p.user.post(
      `/api/payments/${pick(p.received, a) ?? 'txn_x'}/refund`,
      b % 2 ? { amount: dollars(b) } : {},
    )
  },
}

async function play(step: Step, s: Stage): Promise<void> {
  const player = s.players[step.who % s.players.length]!
  const reply = await ACTS[step.act](s, player, step.a, step.b)
  s.replies.push(reply)
  const allowed =
    reply.status < 500 ||
    reply.body?.code === 'settlement_pending' ||
    reply.body?.code === 'upstream_failed'
  expect(allowed, `${step.act}: ${reply.status} ${reply.text.slice(0, 300)}`).toBe(true)
}

/** The invariants of the money model, read from the tables and from the chain. */
async function expectInvariants({ w }: Stage): Promise<void> {
  expect(await w.faults()).toEqual([])
  const { rows } = await sql<{ fault: string }>`
    select 'card over its limit ' || id as fault from cards where spent + held > limit_amount
    union all select 'card holds more than its holds ' || c.id from cards c join ledger_accounts a on a.id = c.account_id where c.held <> a.held
    union all select 'spent is not what was sent ' || c.id from cards c where c.spent <> coalesce((select sum(t.amount - t.refunded)
      from card_transactions t where t.card_id = c.id and t.direction = 'sent' and t.status in ('SETTLED', 'REFUNDED')), 0)
    union all select 'received is not what came ' || c.id from cards c where c.received <> coalesce((select sum(t.amount - t.refunded)
      from card_transactions t where t.card_id = c.id and t.direction = 'received' and t.status in ('SETTLED', 'REFUNDED')), 0)
    union all select 'link used too often ' || code from pay_links where max_uses > 0 and uses + reserved > max_uses
    union all select 'uses are not settlements ' || l.code from pay_links l where l.uses <> (select count(*) from pay_link_settlements s
      where s.pay_link_id = l.id and s.state = 'settled')
    union all select 'reserved for nothing ' || l.code from pay_links l where l.reserved <> (select count(*) from pay_link_settlements s
      where s.pay_link_id = l.id and s.state = 'settling')
    union all select 'hold left open ' || id from ledger_holds where state = 'open'
    union all select 'stream paid what was not ticked ' || id from mpp_streams where status = 'OPEN'
      or final_amount <> case when receiver_card_id is null then 0 else total_ticked end
    union all select 'decision missing for ' || t.id from card_transactions t where t.direction = 'sent'
      and not exists (select from card_decisions d where d.card_id = t.card_id and d.allowed and d.ref in (t.ref, t.id))
    union all select 'fees are not the fees of settlements and payments' where
      (select coalesce(sum(p.posted), 0) from ledger_house_parts p join ledger_accounts a on a.id = p.account_id and a.kind = 'fees')
      < (select coalesce(sum(fee), 0) from pay_link_settlements where state = 'settled')`.execute(
    w.db.reader,
  )
  expect(rows.map((row) => row.fault)).toEqual([])
  const [books] = await readLiabilities(w.db.reader)
  const addresses = [w.chain.treasury.address, ...(await custodyAddresses(w.services))]
  const balances = await Promise.all(addresses.map((address) => readUsdcBalance(w.chain, address)))
  const onChain = balances.reduce((sum: bigint, balance) => sum + balance, 0n)
  // Payments out that are captured but not final stand in `outbound`: they have left the chain address already.
  expect(onChain).toBe((books?.custody ?? 0n) - (books?.outbound ?? 0n))
}

/** In the middle of everything, ledger and chain differ by what is on its way and by nothing else. */
async function expectToCompare({ db, chain, now }: World, isEmbedded: boolean): Promise<void> {
  const found = await compareCustody({ db, chain, at: now(), isEmbedded })
  expect('why' in found ? found.why : found.difference, inspect(found)).toBe(0n)
}

const steps = fc.array(
  fc.record({
    act: fc.constantFrom(...(Object.keys(ACTS) as (keyof typeof ACTS)[])),
    who: fc.nat(2),
    a: fc.nat(1000),
    b: fc.nat(1000),
  }),
  { minLength: 60, maxLength: 90 },
)
const AT_ONCE = 6

test('random concurrent histories keep every invariant, and leave ledger = chain', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      await using w = await world()
      await w.withGas()
      await using seller = await honestSeller()
      const users = await Promise.all([1, 2, 3].map(() => w.user({ treasury: 30, usdc: 60 })))
      const players = users.map(
        (user): Player => ({ user, cards: [], links: [], received: [], streams: [] }),
      )
      const stage: Stage = { w, players, seller, replies: [] }
      const opening = players.flatMap((_, who) =>
        (['issue', 'issue', 'link', 'link'] as const).map((act, i) => ({
          act,
          who,
          a: 700 + i,
          b: 1 + who + i,
        })),
      )
      const all: Step[] = [...opening, ...history]
      await w.runJobs()
      for (let i = 0; i < all.length; i += AT_ONCE)
        await Promise.all([
          ...all.slice(i, i + AT_ONCE).map((step) => play(step, stage)),
          expectToCompare(w, i % 4 === 0),
          i % 5 === 0 ? watchOnce(w.services, w.now()) : undefined,
        ])
      for (let i = 0; i < 6; i++) {
        await w.safe()
        await w.advance(30)
        await w.runJobs()
        await expectToCompare(w, i % 2 === 0)
      }
      // Longer than a challenge or a stream lives: what cards agreed to and nobody took is theirs again.
      await w.advance(300)
      await w.runJobs()
      await expectInvariants(stage)
      expect(stage.replies.filter((reply) => reply.status === 200).length).toBeGreaterThan(20)
    }),
    { numRuns: 3, endOnFailure: true },
  )
})
