import { expect, test } from 'vitest'
import { sql } from '../../src/base/db/sql.ts'
import { randomHex } from '../../src/base/kernel/secrets.ts'
import { balanceOf, cardOf, issue, open, present, signed } from '../actors/attack-kit.ts'
import { CUT, type Fault, GARBAGE, SILENCE } from '../faults/faulty-rpc.ts'
import { handMadeSeller } from '../sellers/x402-sellers.ts'
import { pause } from '../until.ts'
import { type OwnWorld, ownWorld } from './own-world.ts'

const FAULTS: [name: string, fault: Fault][] = [
  [
    'is of another chain',
    ({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined),
  ],
  ['answers garbage', () => GARBAGE],
  [
    'answers with errors that quote our calldata',
    ({ params }) => ({ error: { code: -32_000, message: `boom ${JSON.stringify(params)}` } }),
  ],
  [
    'does what it is asked and drops the connection',
    async (_, next) => {
      await next()
      return CUT
    },
  ],
  [
    'answers each call late',
    async (_, next) => {
      await pause(120)
      return next()
    },
  ],
  [
    'hands every transaction on twice',
    async ({ method }, next) => {
      if (method !== 'eth_sendRawTransaction') return undefined
      await next()
      return next()
    },
  ],
  [
    'gives the receipt of another transaction',
    async ({ method }, next) => {
      if (method !== 'eth_getTransactionReceipt') return undefined
      const { result } = (await next()) as { result: Record<string, unknown> | null }
      return { result: result && { ...result, transactionHash: randomHex(32), status: '0x0' } }
    },
  ],
  [
    'says that every transaction was reverted, without logs',
    async ({ method }, next) => {
      if (method !== 'eth_getTransactionReceipt') return undefined
      const { result } = (await next()) as { result: Record<string, unknown> | null }
      return { result: result && { ...result, status: '0x0', logs: [] } }
    },
  ],
  [
    'takes every authorization for used, and knows of none',
    ({ method, params }) => {
      if (method === 'eth_getLogs') return { result: [] }
      const isState = method === 'eth_call' && params[0].data?.startsWith('0xe94a0102')
      return isState ? { result: `0x${'1'.padStart(64, '0')}` } : undefined
    },
  ],
  [
    'stands still at an old block',
    ({ method }, next) =>
      method === 'eth_getTransactionReceipt'
        ? { result: null }
        : method === 'eth_getBlockByNumber'
          ? next(['0x5', false])
          : method === 'eth_blockNumber'
            ? { result: '0x5' }
            : undefined,
  ],
]

/** Sets the fault on the first node until the work ends or a moment has passed. */
async function underFault(own: OwnWorld, fault: Fault, work: () => Promise<unknown>) {
  own.nodes[0]?.fault(fault)
  await Promise.race([own.during(work().catch(() => undefined)), pause(1_500)])
  own.nodes[0]?.fault(undefined)
}

test.concurrent.each(FAULTS)(
  'a node that %s: deposit, withdrawal and link payment each end once, with the right money',
  async (_, fault) => {
    await using own = await ownWorld({ nodes: 1 })
    const { w } = own
    const user = await w.user({ treasury: 10, usdc: 5 })
    const link = await open(user, await issue(user, 1))
    const payer = await own.payer()
    const payment = await signed(w, payer, link.deposit_address, 1_000_000n)
    const withdraw = () =>
      user.post('/api/withdraw', { amount: 4 }, { headers: { 'idempotency-key': 'w' } })
    const asked = await withdraw()
    expect(asked.status, asked.text).toBe(200)
    await w.transfer(user.account, w.chain.treasury.address, 2_000_000n)
    const replies: { text: string }[] = []
    await underFault(own, fault, async () => {
      replies.push(await present(w, link.code, payment))
      replies.push(await user.post('/api/withdraw', { amount: 1 }))
    })
    await underFault(own, fault, () => w.runJobs())
    for (const { text } of replies) {
      expect(text).not.toMatch(/boom|0xe3ee160e/)
      expect(text).not.toContain(own.nodes[0]?.url)
    }

    await w.advance(60)
    const isOver = async () => {
      const { rows } = await sql`select from withdrawals where status = 'PROCESSING'`.execute(
        w.db.reader,
      )
      const { body } = await w.call('GET', `/api/paylinks/${link.code}`)
      const states =
        await sql`select from watched_transfers where state in ('seen', 'passed_on')`.execute(
          w.db.reader,
        )
      const again =
        body.status === 'COMPLETED' || (await own.during(present(w, link.code, payment)))
      return again === true && rows.length === 0 && states.rows.length === 0
    }
    await own.until(isOver)
    expect((await withdraw()).body).toEqual(asked.body)
    const { rows } = await sql<{ amount: bigint; status: string }>`select amount, status
      from withdrawals order by created_at`.execute(w.db.reader)
    for (const { status } of rows) expect(status).toBe('COMPLETED')
    const taken = rows.reduce((sum, row) => sum + Number(row.amount) / 1e6, 0)
    expect(await balanceOf(user)).toBe(10 - 1 + 2 - taken)
    expect(await own.usdcOf(user.wallet)).toBe(
      BigInt(Math.round((5 - 2 + taken - 0.05 * rows.length) * 1e6)),
    )
    await own.expectBooksToMatch()
    expect(await own.alarms()).toEqual([])
  },
)

test.concurrent('a node that answers nonsense is passed over for the second one', async () => {
  await using own = await ownWorld({ nodes: 2 })
  const { w } = own
  const seller = await w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const link = await open(seller, card)
  const payer = await own.payer()
  const payment = await signed(w, payer, link.deposit_address, 1_000_000n)
  own.nodes[0]?.fault(() => GARBAGE)
  const paid = await own.during(present(w, link.code, payment))
  expect(paid.status, paid.text).toBe(200)
  expect((await cardOf(seller, card.id)).received).toBe(0.995)
})

// The node falsely reports the authorization as unused. No money may go back before the chain's own time has passed it.
test.concurrent('a stale node releases no payment that was made, and a retry pays nothing more', async () => {
  await using own = await ownWorld({ nodes: 1 })
  const { w } = own
  const user = await w.user({ treasury: 2 })
  const card = await issue(user, 1)
  await using seller = await handMadeSeller({
    amount: 20_000n,
    rpcUrl: own.rpcUrl,
    serve: async ({ response, settle }) => {
      own.nodes[0]?.fault(({ method, params }, next) =>
        method === 'eth_getBlockByNumber'
          ? next(['0x5', false])
          : method === 'eth_call'
            ? next([params[0], '0x5'])
            : method === 'eth_getLogs'
              ? { result: [] }
              : undefined,
      )
      await settle()
      response.end('served')
    },
  })
  const ask = { card_id: card.id, card_token: card.token, url: seller.url }
  const send = () => user.post('/api/pay', ask, { headers: { 'idempotency-key': 'once' } })
  const paid = await own.during(send())
  expect([paid.status, paid.body.settlement.status]).toEqual([200, 'PENDING'])
  await w.advance(3_600)
  await own.during(w.runJobs())
  expect(await cardOf(user, card.id)).toMatchObject({ held: 0.0201, spent: 0 })
  expect((await send()).body.transaction_id).toBe(paid.body.transaction_id)
  own.nodes[0]?.fault(undefined)
  await own.until(async () => (await cardOf(user, card.id)).spent === 0.0201)
  await own.blocks(6)
  await own.until(async () => (await w.faults()).length === 0)
  expect(await own.usdcOf(seller.payTo)).toBe(20_000n)
  expect(new Set(seller.paid.map(({ authorization }) => authorization.nonce)).size).toBe(1)
})

test.concurrent('a silent node is given up and the second one asked; where there is none, nothing is taken', async () => {
  await using two = await ownWorld({ nodes: 2 })
  await using one = await ownWorld({ nodes: 1 })
  const [served, refused] = await Promise.all(
    [two, one].map(async (own) => {
      const user = await own.w.user({ treasury: 10 })
      own.nodes[0]?.fault(({ method }) => (method === 'eth_call' ? SILENCE : undefined))
      const reply = await user.post('/api/withdraw', { amount: 4 })
      own.nodes[0]?.fault(undefined)
      return { reply, balance: await balanceOf(user) }
    }),
  )
  expect([served?.reply.status, served?.balance]).toEqual([200, 6])
  expect([refused?.reply.status, refused?.reply.body.code]).toEqual([502, 'chain_unavailable'])
  expect(refused?.balance).toBe(10)
  await one.expectBooksToMatch()
})
