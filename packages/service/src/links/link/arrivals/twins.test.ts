import { expect, test } from 'vitest'
import {
  balanceOf,
  cardOf,
  carry,
  issue,
  open,
  present,
  report,
  signed,
} from '../../../../test/actors/attack-kit.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { type World, world } from '../../../../test/world.ts'
import { all, sql } from '../../../base/db/sql.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import { maintainSends } from '../../../chain/relay/maintain.ts'
import { finishSettlement } from '../../pay-links/methods/authorization/life.ts'
import { compareCustody } from '../../reconcile/compare.ts'
import { watchOnce } from '../../watcher/pass.ts'

/** A link that one payer pays twice, the same amount each time. Nothing tells the payments apart but their nonces. */
async function twins(w: World) {
  const seller = await w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const link = await open(seller, card, { max_uses: 0 })
  const payer = await freshAccount({ usdc: 9_000_000n })
  const sign = () => signed(w, payer, link.deposit_address, 1_000_000n)
  const payments = [await sign(), await sign()]
  return { seller, link, payments, received: async () => (await cardOf(seller, card.id)).received }
}
const settlements = (w: World) =>
  all<{ id: Id<'stl'>; nonce: string; state: string }>(
    w.db.reader,
    sql`select id, auth_nonce as nonce, state from settlements order by id`,
  )

async function expectBooksAndChainToMatch(w: World, is: object = {}) {
  const of = { db: w.db, rail: w.chain, at: w.now(), isEmbedded: true }
  // The newest block is compared once another follows it.
  await w.safe()
  expect(await compareCustody(of)).toMatchObject({ difference: 0n, ...is })
  expect(await w.faults()).toEqual([])
}

/** Both are claimed, and the service dies before it carries them. */
async function claimAndDie(w: World, s: Awaited<ReturnType<typeof twins>>) {
  const { lanes } = w.services
  const submit: typeof lanes.submit = async (lane, ...rest) => {
    const outcome = await lanes.submit(lane, ...rest)
    if (lane.name === 'claim_authorization') throw new Error('killed')
    return outcome
  }
  Object.assign(w.services, { lanes: { submit } })
  for (const payment of s.payments)
    expect((await present(w, s.link.code, payment)).status).toBe(500)
  Object.assign(w.services, { lanes })
}

/** One transaction of ours carries the two of them. */
async function shareTransaction(w: World, s: Awaited<ReturnType<typeof twins>>) {
  await w.withGas()
  await claimAndDie(w, s)
  const mined = () =>
    all<{ hash: string }>(
      w.db.reader,
      sql`select hash from chain_sends where ref like 'settle:%' and state = 'mined'`,
    )
  // Later than their callers would have carried them.
  await w.advance(11)
  while ((await mined()).length < 2) await maintainSends(w.services.relay, w.now())
  expect(new Set((await mined()).map(({ hash }) => hash)).size).toBe(1)
}

test('two payments of one payer and amount in one transaction are kept apart, whichever is finished first', async () => {
  await using w = await world()
  const s = await twins(w)
  await shareTransaction(w, s)
  await expectBooksAndChainToMatch(w, { awaited: 2_000_000n })
  const [, second] = await settlements(w)
  if (!second) throw new Error('both were claimed')
  expect((await finishSettlement(w.services, w.now(), second.id)).kind).toBe('settled')
  await expectBooksAndChainToMatch(w, { awaited: 1_000_000n })
  // The watcher hands both transfers on before the first is finished.
  await w.safe()
  await watchOnce(w.services, w.now())
  await expectBooksAndChainToMatch(w, { awaited: 1_000_000n })
  await w.runJobs()
  for (let i = 0; i < 3; i++) {
    await w.advance(30)
    await w.runJobs()
    await expectBooksAndChainToMatch(w)
  }
  expect((await settlements(w)).map(({ state }) => state)).toEqual(['settled', 'settled'])
  expect(await s.received()).toBe(1.99)
  expect(await balanceOf(s.seller)).toBe(4)
  await expectBooksAndChainToMatch(w, { awaited: 0n, owed: 7_000_000n })
})

test('two payments that somebody else carried in one transaction are kept apart', async () => {
  await using w = await world()
  const s = await twins(w)
  await claimAndDie(w, s)
  const hash = await carry(w, s.payments)
  await w.withGas()
  await w.safe()
  const reply = await report(w, s.link.code, hash)
  expect(reply.status, reply.text).toBeLessThan(500)
  for (let i = 0; i < 4; i++) {
    await w.advance(30)
    await w.runJobs()
    await expectBooksAndChainToMatch(w)
  }
  expect((await settlements(w)).map(({ state }) => state)).toEqual(['settled', 'settled'])
  expect(await s.received()).toBe(1.99)
  await expectBooksAndChainToMatch(w, { awaited: 0n, owed: 7_000_000n })
})
