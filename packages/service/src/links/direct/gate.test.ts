import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DirectSeller,
  directSeller,
  present,
  reportTo,
  x402Payer,
} from '../../../test/actors/direct/direct-kit.ts'
import { setPlan } from '../../../test/actors/members/meter-kit.ts'
import { credentialOf, withCredential } from '../../../test/actors/mpp-payers.ts'
import { until } from '../../../test/until.ts'
import { freshAccount } from '../../../test/world/chain.ts'
import { type World, world } from '../../../test/world.ts'
import { sql, type Tx } from '../../base/db/sql.ts'
import { readAssetBalance } from '../../chain/client/reads.ts'
import { moveLinks } from '../link/store.ts'

let w: World
let base: string
beforeAll(async () => {
  w = await world()
  await w.withGas()
  base = await w.listen()
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
})

const urlOf = ({ code }: { code: string }) => `${base}/pay/${code}`
const received = (s: DirectSeller) => readAssetBalance(w.chain, s.wallet)
const closeGate = (s: DirectSeller) =>
  w.write((tx) =>
    sql`update memberships set status = 'EXPIRED' where wallet_address = ${s.wallet}`.execute(tx),
  )

test('the gate closes offers and what is only signed; a claimed payment and one on the chain pass it', async () => {
  const s = await directSeller(w)
  const link = await s.open({ type: 'RECURRING' })
  const [payer, quick, sender] = await Promise.all(
    [1, 2, 3].map(() => freshAccount({ usdc: 2_000_000n })),
  )
  const header = await x402Payer(payer!).header(urlOf(link))
  const claimed = await x402Payer(quick!).header(urlOf(link))
  const byMpp = await credentialOf(urlOf(link), payer!)
  const { direct } = (await w.call('GET', `/api/pay/${link.code}/prepare`)).body
  expect((await present(urlOf(link), claimed)).status).toBe(200)
  await closeGate(s)
  for (const path of [
    `/api/pay/${link.code}/resolve`,
    `/api/pay/${link.code}/prepare`,
    `/pay/${link.code}`,
  ]) {
    const reply = await w.call('GET', path)
    expect([path, reply.status, reply.body.code]).toEqual([path, 402, 'no_active_plan'])
  }
  const page = await fetch(urlOf(link), { headers: { accept: 'text/html' } })
  expect(page.status).toBe(402)
  expect(await page.text()).toContain('This link cannot be paid now')
  // The public facts stay public, and links can be made.
  expect((await w.call('GET', `/api/paylinks/${link.code}`)).status).toBe(200)

  // Nothing has moved by what was only signed, and nothing moves.
  for (const refused of [
    await present(urlOf(link), header),
    await withCredential(urlOf(link), byMpp),
  ])
    expect([refused.status, ((await refused.json()) as any).code]).toEqual([402, 'no_active_plan'])
  expect(await received(s)).toBe(500_000n)
  // A claimed payment still has its receipt; money that its sender moved is recorded and metered.
  expect((await present(urlOf(link), claimed)).status).toBe(200)
  const txHash = await w.transfer(sender!, s.wallet, 500_000n)
  await w.safe()
  const unsigned = await reportTo(w, link, { tx_hash: txHash, from_address: sender!.address })
  expect([unsigned.body.code, unsigned.body.message]).toEqual([
    'binding_required',
    direct.message.replace('{tx_hash}', txHash),
  ])
  const signature = await sender!.signMessage({ message: unsigned.body.message })
  const good = { tx_hash: txHash, from_address: sender!.address, signature }
  expect((await reportTo(w, link, good)).body).toMatchObject({ status: 'SETTLED', amount: 0.5 })
  expect(await s.used()).toBe(2)
  const expired = await s.open({ expires_in: 1 })
  await w.advance(3_700)
  expect((await w.call('GET', `/api/pay/${expired.code}/resolve`)).status).toBe(410)
})

test('a hundred payments that a seller without a plan is presented, its own 402 never asked, cost no gas', async () => {
  const s = await directSeller(w)
  const link = await s.open({ max_uses: 0 })
  const payer = await freshAccount({ usdc: 100_000_000n })
  const client = x402Payer(payer)
  const headers: string[] = []
  for (let i = 0; i < 100; i++) headers.push(await client.header(urlOf(link)))
  await closeGate(s)
  const relayer = w.chain.relayers[0]!.address
  const spent = () => w.chain.rpc.getTransactionCount({ address: relayer })
  const rows = async () =>
    (
      await sql`select from direct_settlements where wallet_address = ${s.wallet}`.execute(
        w.db.reader,
      )
    ).rows.length
  const before = await spent()
  const replies = await Promise.all(headers.map((header) => present(urlOf(link), header)))
  const bodies = (await Promise.all(replies.map((reply) => reply.json()))) as any[]
  expect(new Set(bodies.map(({ code }) => code))).toEqual(new Set(['no_active_plan']))
  expect([await spent(), await rows(), await received(s)]).toEqual([before, 0, 0n])
})

test('of forty payments at once, on several links, the plan covers five: five are carried, and nothing is owed', async () => {
  await using own = await world()
  await own.withGas()
  const at = await own.listen()
  await setPlan(own, 3, 50_000)
  const s = await directSeller(own)
  await own.credit(s.wallet, 1_000_000n)
  expect((await s.seller.post('/api/fees/topup', { amount: 0.12 })).status).toBe(200)
  const links = await Promise.all([1, 2, 3, 4].map(() => s.open({ max_uses: 0 })))
  const payers = await Promise.all(links.map(() => freshAccount({ usdc: 10_000_000n })))
  const asked = links.flatMap((link, i) =>
    Array.from({ length: 10 }, async () => {
      const url = `${at}/pay/${link.code}`
      return { url, header: await x402Payer(payers[i]!).header(url) }
    }),
  )
  const headers = await Promise.all(asked)
  const replies = await Promise.all(headers.map(({ url, header }) => present(url, header)))
  const bodies = (await Promise.all(replies.map((reply) => reply.json()))) as any[]
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(5)
  for (const { success, code } of bodies) if (success !== true) expect(code).toBe('no_active_plan')
  expect(await readAssetBalance(own.chain, s.wallet)).toBe(2_500_000n)
  const { quota, meter } = (await s.seller.get('/api/fees')).body
  expect([quota.used, meter.balance]).toEqual([5, 0.02])
  const owed = await sql`select from direct_fees where state = 'owed'`.execute(own.db.reader)
  expect(owed.rows).toEqual([])
  expect(await own.faults()).toEqual([])
})

test('a payment that was looked at before its link changed hands is not sent to the wallet that had it', async () => {
  const s = await directSeller(w)
  const heir = await w.user()
  const link = await s.open({ type: 'RECURRING', max_uses: 0 })
  const payer = await freshAccount({ usdc: 1_000_000n })
  const header = await x402Payer(payer).header(urlOf(link))
  const [locked, looked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const moveTo = (toWallet: string) => (tx: Tx) => moveLinks(tx, { cardId: s.card.id, toWallet })
  const moving = w.write(async (tx) => {
    await moveTo(heir.wallet)(tx)
    locked.resolve()
    await looked.promise
  })
  await locked.promise
  const reply = present(urlOf(link), header)
  const waits = sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%pay_links%'`
  await until(
    async () => (await waits.execute(w.db.reader)).rows,
    ({ length }) => length > 0,
    { everyMs: 10 },
  )
  looked.resolve()
  await moving
  const refused = await reply
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'pay_link_busy' }])
  expect(await readAssetBalance(w.chain, payer.address)).toBe(1_000_000n)
  await w.write(moveTo(s.wallet))
  expect((await present(urlOf(link), header)).status).toBe(200)
})
