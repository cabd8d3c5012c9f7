import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { issue, open, present, report, signed } from '../../../../test/actors/attack-kit.ts'
import { type OwnWorld, ownWorld } from '../../../../test/chain-faults/own-world.ts'
import { handMadeSeller, paymentResponse } from '../../../../test/sellers/x402-sellers.ts'
import type { Reply } from '../../../../test/world.ts'
import { all, sql } from '../../../base/db/sql.ts'
import { finishSweep, type Sweep } from '../../pay-links/methods/on-chain/sweep.ts'
import { watchOnce } from '../../watcher/pass.ts'
import { compareCustody } from '../compare.ts'

/** Ledger and chain at this instant, at the newest block with a successor and at the newest safe one. */
async function expectExplained({ w }: OwnWorld, step: string): Promise<void> {
  for (const isEmbedded of [true, false]) {
    const found = await compareCustody({ db: w.db, rail: w.chain, at: w.now(), isEmbedded })
    const what = `${step}, ${isEmbedded ? 'latest' : 'safe'}: ${inspect(found)}`
    expect('why' in found ? found.why : found.difference, what).toBe(0n)
  }
}

/** A wallet with a card that takes payments of links, and somebody outside who pays. */
async function stage(own: OwnWorld) {
  const { w } = own
  const user = await w.user({ treasury: 20 })
  const till = await issue(user, 5)
  const link = (more: object = {}) => open(user, till, { max_uses: 0, ...more })
  return { user, till, link, payer: await own.payer(40_000_000n) }
}

/** Starts each kind of movement. Its promise may need blocks to resolve. */
const KINDS: Record<string, (own: OwnWorld) => Promise<() => Promise<Reply | undefined>>> = {
  async 'a transfer of a wallet to the treasury'(own) {
    const { user } = await stage(own)
    const funds = await own.payer()
    await own.w.transfer(funds, user.account.address, 3_000_000n)
    await own.w.transfer(user.account, own.w.chain.treasury.address, 820_000n)
    return async () => undefined
  },
  async 'a transfer of nobody to the treasury'(own) {
    const { payer } = await stage(own)
    await own.w.transfer(payer, own.w.chain.treasury.address, 810_000n)
    return async () => undefined
  },
  async 'a deposit by authorization'(own) {
    const { user } = await stage(own)
    const funds = await own.payer()
    await own.w.transfer(funds, user.account.address, 3_000_000n)
    const { treasury } = own.w.chain
    const { authorization, signature } = await signed(
      own.w,
      user.account,
      treasury.address,
      1_310_000n,
    )
    const { from, to, value, validAfter, validBefore, nonce } = authorization
    return () =>
      user.post('/api/fund/authorization', {
        from,
        to,
        nonce,
        signature,
        value: String(value),
        valid_after: String(validAfter),
        valid_before: String(validBefore),
      })
  },
  async 'an x402 payment of a link'(own) {
    const { link, payer } = await stage(own)
    const { code, deposit_address } = await link()
    const payment = await signed(own.w, payer, deposit_address, 1_000_000n)
    return () => present(own.w, code, payment)
  },
  async 'an x402 payment of a link that somebody else carries'(own) {
    const { link, payer } = await stage(own)
    const { code, deposit_address } = await link()
    const payment = await signed(own.w, payer, deposit_address, 1_000_000n)
    return async () => {
      const [reply] = await Promise.all([present(own.w, code, payment), own.carry(payment)])
      return reply
    }
  },
  async 'two payments of a link, by x402 and by a transfer'(own) {
    const { link, payer } = await stage(own)
    const { code, deposit_address } = await link()
    const payment = await signed(own.w, payer, deposit_address, 1_000_000n)
    const other = await own.payer()
    return async () => {
      const [reply] = await Promise.all([
        present(own.w, code, payment),
        own.w.transfer(other, deposit_address, 1_000_000n),
      ])
      return reply
    }
  },
  async 'a transfer to a link that is reported'(own) {
    const { link, payer } = await stage(own)
    const { code, deposit_address } = await link()
    const hash = await own.w.transfer(payer, deposit_address, 1_000_000n)
    return () => report(own.w, code, hash)
  },
  async 'transfers to a link that are short and over'(own) {
    const { link, payer } = await stage(own)
    const { deposit_address } = await link()
    await own.w.transfer(payer, deposit_address, 370_000n)
    await own.w.transfer(payer, deposit_address, 1_430_000n)
    return async () => undefined
  },
  async 'a payment to a seller'(own) {
    const { user, till } = await stage(own)
    const seller = await handMadeSeller({
      amount: 250_000n,
      rpcUrl: own.rpcUrl,
      serve: async ({ response, settle }) => {
        response.setHeader('payment-response', paymentResponse(await settle()))
        response.end('goods')
      },
    })
    return async () => {
      await using asked = seller
      const ask = { card_id: till.id, card_token: till.token, url: asked.url }
      return await user.post('/api/pay', ask)
    }
  },
  async 'a withdrawal'(own) {
    const { user } = await stage(own)
    return () => user.post('/api/withdraw', { amount: 4 })
  },
}

test.each(Object.keys(KINDS))(
  '%s is explained at every step of its way',
  {
    timeout: 900_000,
  },
  async (kind) => {
    await using own = await ownWorld()
    const { w, blocks } = own
    await watchOnce(w.services, w.now())
    const begin = await KINDS[kind]?.(own)
    await expectExplained(own, 'before')
    const answer = { isThere: false }
    const asked = begin?.().finally(() => {
      answer.isThere = true
    })
    // Blocks come one by one, with a comparison before and after each.
    for (let block = 0; !answer.isThere; block++) {
      await expectExplained(own, `asked, block ${block}`)
      await blocks(1)
    }
    const reply = await asked
    expect(reply?.status ?? 200, reply?.text).toBeLessThan(300)
    for (let round = 0; round < 6; round++) {
      const jobs = own.during(w.runJobs())
      for (const look of ['first', 'second'])
        await expectExplained(own, `${look} of round ${round}`)
      await jobs
      await expectExplained(own, `after round ${round}`)
      await blocks(1)
      await w.advance(3)
    }
    await watchOnce(w.services, w.now())
    await blocks(1)
    const found = await compareCustody({ db: w.db, rail: w.chain, at: w.now(), isEmbedded: true })
    expect(found).toMatchObject({ difference: 0n, awaited: 0n, early: 0n, departed: 0n, ahead: 0n })
  },
)

test('money that arrives at a link while its earlier sweep is confirmed does not count as swept', async () => {
  await using own = await ownWorld({ nodes: 1 })
  const { w, blocks } = own
  await watchOnce(w.services, w.now())
  const { link, payer } = await stage(own)
  const { code, deposit_address } = await link()
  const settled = async () => {
    const hash = await own.w.transfer(payer, deposit_address, 1_000_000n)
    await blocks(5)
    const reply = await report(w, code, hash)
    expect(reply.status, reply.text).toBe(200)
  }
  await settled()
  const [node] = own.nodes
  let came = 0
  node?.fault(async ({ method, params }, next) => {
    const asksFor = (address: string) =>
      JSON.stringify(params).toLowerCase().includes(address.slice(2).toLowerCase())
    if (method !== 'eth_call' || !asksFor(deposit_address) || came > 0) return
    const empty = await next()
    if (BigInt((empty as { result: string }).result) !== 0n) return empty
    came++
    await settled()
    return empty
  })
  const [first] = await all<Omit<Sweep, 'sends'>>(
    w.db.reader,
    sql`select pay_link_id as link_id, id as ref from settlements`,
  )
  const sweep = { linkId: first!.linkId, ref: first!.ref, sends: 0 }
  expect(await own.during(finishSweep(w.services, w.now(), sweep))).toBeUndefined()
  expect(came).toBe(1)
  await blocks(6)
  await watchOnce(w.services, w.now())
  await expectExplained(own, 'between the sweeps')
  await own.until(async () => (await own.usdcOf(deposit_address)) === 0n)
  await blocks(6)
  await expectExplained(own, 'after both')
})
