import { inspect } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sql } from '../../src/base/db/sql.ts'
import { followOnce } from '../../src/business/stats/follow.ts'
import { readAssetBalance } from '../../src/chain/client/reads.ts'
import { custodyAddresses } from '../../src/links/pay-links/methods/on-chain/sweep.ts'
import { compareCustody } from '../../src/links/reconcile/compare.ts'
import { watchOnce } from '../../src/links/watcher/pass.ts'
import { readLiabilities } from '../../src/money/ledger/verify/verify.ts'
import { handMadeSeller, paymentResponse, type Seller } from '../sellers/x402-sellers.ts'
import { bothFigures, followAll } from '../stats/scan.ts'
import { type World, world } from '../world.ts'
import { ACTS as MONEY_ACTS } from './history-acts.ts'
import { passDays, RECURRING_ACTS, RECURRING_FAULTS } from './recurring-acts.ts'
import type { Player, Stage } from './stage.ts'

const ACTS = { ...MONEY_ACTS, ...RECURRING_ACTS }

/** A step of a history: the act, the player, and two numbers that select the rest. */
type Step = { act: keyof typeof ACTS; who: number; a: number; b: number }

/** A seller outside that settles each payment, then serves. It settles one at a time, because it has one nonce. */
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

/** The rules of a card, which no act changes, decide its past anew as it was decided. */
async function expectPastRepeated({ players }: Stage): Promise<void> {
  for (const { user, cards } of players)
    for (const { id } of cards) {
      const asked = { controls: {}, since: '2020-01-01T00:00:00Z' }
      const { status, text, body } = await user.post(`/api/cards/${id}/controls/backtest`, asked)
      // It has changed hands.
      if (status === 404) continue
      expect(status, text).toBe(200)
      expect(body, text).toMatchObject({ differing: [], not_judged: { payments: 0 } })
      expect(body.would_decline).toEqual(body.was_declined)
    }
}

/** The invariants of the money model, read from the tables and from the chain. */
async function expectInvariants({ w }: Stage): Promise<void> {
  await followAll(w)
  const { kept, scanned } = await bothFigures(w)
  expect(kept).toEqual(scanned)
  expect(await w.faults()).toEqual([])
  const { rows } = await sql<{ fault: string }>`
    select 'card over its limit ' || id as fault from cards where spent + held > limit_amount
    union all select 'card holds more than its holds ' || c.id from cards c join ledger_accounts a on a.id = c.account_id where c.held <> a.held
    union all select 'spent is not what was sent ' || c.id from cards c where c.spent <> coalesce((select sum(t.amount - ${GIVEN_BACK})
      from card_transactions t where t.card_id = c.id and t.direction = 'sent' and t.status in ('SETTLED', 'REFUNDED')), 0)
    union all select 'received is not what came ' || c.id from cards c where c.settlement_mode = 'CUSTODIAL' and c.received <> coalesce((select sum(t.amount - ${GIVEN_BACK})
      from card_transactions t where t.card_id = c.id and t.direction = 'received' and t.status in ('SETTLED', 'REFUNDED')), 0)
    union all select 'link used too often ' || code from pay_links where max_uses > 0 and uses + reserved > max_uses
    union all select 'uses are not settlements ' || l.code from pay_links l where l.uses <> (select count(*) from settlements s
      where s.pay_link_id = l.id and s.state = 'settled') + (select count(*) from direct_settlements d where d.pay_link_id = l.id
      and d.state = 'settled' and d.exception_id is null)
    union all select 'reserved for nothing ' || l.code from pay_links l where l.reserved <> (select count(*) from settlements s
      where s.pay_link_id = l.id and s.state = 'settling') + (select count(*) from direct_settlements d where d.pay_link_id = l.id
      and d.state = 'settling' and d.nonce is not null)
    union all select 'hold left open ' || id from ledger_holds where state = 'open'
    union all select 'stream paid what was not ticked ' || id from mpp_streams where status = 'OPEN'
      or final_amount <> case when receiver_card_id is null then 0 else total_ticked end
    union all select 'decision missing for ' || t.id from card_transactions t where t.direction = 'sent' and t.merchant <> 'membership_revenue'
      and not exists (select from card_decisions d where d.card_id = t.card_id and d.allowed and d.ref in (t.ref, t.id))
    union all select 'fees are not the fees of settlements and payments' where
      (select coalesce(sum(p.posted), 0) from ledger_house_parts p join ledger_accounts a on a.id = p.account_id and a.kind = 'fees')
      < (select coalesce(sum(fee), 0) from settlements where state = 'settled')
    union all ${sql.raw(RECURRING_FAULTS)}`.execute(w.db.reader)
  expect(rows.map((row) => row.fault)).toEqual([])
  const [books] = await readLiabilities(w.db.reader)
  const addresses = [w.chain.treasury.address, ...(await custodyAddresses(w.services))]
  const balances = await Promise.all(addresses.map((address) => readAssetBalance(w.chain, address)))
  const onChain = balances.reduce((sum: bigint, balance) => sum + balance, 0n)
  // Outgoing payments that are captured but not final count in `outbound`: they have left the chain address already.
  expect(onChain).toBe((books?.custody ?? 0n) - (books?.outbound ?? 0n))
}

/** At any moment, ledger and chain differ only by money on its way. */
async function expectToCompare({ db, chain, now }: World, isEmbedded: boolean): Promise<void> {
  const found = await compareCustody({ db, rail: chain, at: now(), isEmbedded })
  expect('why' in found ? found.why : found.difference, inspect(found)).toBe(0n)
}

/** The entries of refunds of a transaction, added up. */
const GIVEN_BACK = sql.raw(
  'coalesce((select sum(e.amount) from refund_entries e where e.refund_of = t.id), 0)',
)

const stepOf = (acts: object) =>
  fc.record({
    act: fc.constantFrom(...(Object.keys(acts) as (keyof typeof ACTS)[])),
    who: fc.nat(2),
    a: fc.nat(1000),
    b: fc.nat(1000),
  })
const steps = fc.array(stepOf(ACTS), { minLength: 70, maxLength: 100 })
/** The acts while months pass. */
const later = fc.array(stepOf(RECURRING_ACTS), { minLength: 12, maxLength: 18 })
const DAYS = 16
const AT_ONCE = 6
const OPENING = ['issue', 'issue', 'link', 'link', 'subscribe', 'directLink', 'agree'] as const
const ALLOWED = 60_000_000n

test('random concurrent histories keep every invariant, and leave ledger = chain', {
  timeout: 900_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, later, async (history, months) => {
      await using w = await world({ pulls: true })
      // Its calls are random: what they are answered is held against the document by the tests of each room.
      w.watchNoAnswers()
      await w.withGas()
      await using seller = await honestSeller()
      const users = await Promise.all([1, 2, 3].map(() => w.user({ treasury: 130, usdc: 200 })))
      const players = users.map(
        (user): Player => ({
          ...{ user, cards: [], links: [], received: [], streams: [] },
          ...{ agreements: [], directs: [] },
        }),
      )
      const stage: Stage = { w, players, seller, replies: [] }
      const opening = players.flatMap((_, who) =>
        OPENING.map((act, i) => ({
          act,
          who,
          a: 700 + i,
          b: 1 + who + i,
        })),
      )
      const all: Step[] = [...opening, ...history]
      for (const { account } of users)
        await w.mined(await w.approve(account, { spender: w.chain.settler!, value: ALLOWED }))
      await w.runJobs()
      for (let i = 0; i < all.length; i += AT_ONCE)
        await Promise.all([
          ...all.slice(i, i + AT_ONCE).map((step) => play(step, stage)),
          expectToCompare(w, i % 4 === 0),
          i % 5 === 0 ? watchOnce(w.services, w.now()) : undefined,
          followOnce(w.services, w.now()),
          i % 3 === 0 ? followOnce(w.services, w.now()) : undefined,
        ])
      for (let i = 0; i < 6; i++) {
        await w.safe()
        await w.advance(30)
        await w.runJobs()
        await expectToCompare(w, i % 2 === 0)
      }
      for (let i = 0; i < months.length; i += AT_ONCE) {
        await Promise.all([
          ...months.slice(i, i + AT_ONCE).map((step) => play(step, stage)),
          passDays(stage, DAYS),
        ])
        await w.safe()
        await w.runJobs()
        await expectToCompare(w, true)
      }
      // Longer than a challenge or a stream lives, so that untaken money of cards is released.
      await w.advance(300)
      await w.runJobs()
      await expectInvariants(stage)
      await expectPastRepeated(stage)
      expect(stage.replies.filter((reply) => reply.status === 200).length).toBeGreaterThan(20)
    }),
    { numRuns: 3, endOnFailure: true },
  )
})
