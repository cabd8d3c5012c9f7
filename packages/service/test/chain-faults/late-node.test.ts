/** A node that answers as the chain was some time ago, in every question alike: a replica that does not keep up. */
import { expect, test } from 'vitest'
import { one, sql } from '../../src/base/db/sql.ts'
import { watchOnce } from '../../src/links/watcher/pass.ts'
import { balanceOf, issue, open, present, signed } from '../actors/attack-kit.ts'
import { newAddress } from '../actors/facilitator-kit.ts'
import type { Fault } from '../faults/faulty-rpc.ts'
import { type OwnWorld, ownWorld } from './own-world.ts'

/** A minute of Base. */
const BEHIND = 30

type Mined = { blockNumber?: string | null }
const numberOf = (hex: string | null | undefined): number => Number(hex ?? 0)

/** Answers as of the block that was the newest so many blocks ago. What is sent, it hands on. */
function late(own: OwnWorld, behind = BEHIND): Fault {
  const blocks = async () => {
    const head = Math.max(0, numberOf(await own.call('eth_blockNumber')) - behind)
    const safe = Math.max(
      0,
      numberOf((await own.call('eth_getBlockByNumber', 'safe', false)).number) - behind,
    )
    const at = (tag: unknown): unknown => {
      if (tag === 'safe' || tag === 'finalized') return `0x${safe.toString(16)}`
      const isNewer = typeof tag === 'string' && tag.startsWith('0x') && Number(tag) > head
      return tag === 'latest' || tag === 'pending' || isNewer ? `0x${head.toString(16)}` : tag
    }
    return { head, at }
  }
  return async ({ method, params }, next) => {
    const { head, at } = await blocks()
    if (method === 'eth_blockNumber') return { result: `0x${head.toString(16)}` }
    if (method === 'eth_getBlockByNumber') return next([at(params[0]), params[1]])
    if (['eth_call', 'eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'].includes(method))
      return next([params[0], at(params[1] ?? 'latest'), ...params.slice(2)])
    if (method === 'eth_getLogs') {
      const { fromBlock, toBlock, ...rest } = params[0]
      if (numberOf(fromBlock) > head) return { result: [] }
      return next([{ ...rest, fromBlock: at(fromBlock), toBlock: at(toBlock ?? 'latest') }])
    }
    if (!/^eth_getTransaction(Receipt|ByHash)$/.test(method)) return undefined
    const answer = (await next()) as { result: Mined | null }
    return numberOf(answer.result?.blockNumber) > head ? { result: null } : answer
  }
}

const cursorOf = async ({ w }: OwnWorld) =>
  (await one<{ block: bigint }>(w.db.reader, sql`select block from watch_cursors`))?.block ?? -1n

test.concurrent('a node a minute behind: a payout, a link and a deposit each end once, later', async () => {
  await using own = await ownWorld({ nodes: 1 })
  const { w } = own
  await own.blocks(BEHIND + 10)
  const user = await w.user({ treasury: 10, usdc: 5 })
  const link = await open(user, await issue(user, 1))
  const payment = await signed(w, await own.payer(), link.deposit_address, 1_000_000n)
  await own.blocks(BEHIND + 10)
  await own.until(async () => (await cursorOf(own)) > 0n)
  own.nodes[0]?.fault(late(own))
  const payee = newAddress()
  const withdraw = () =>
    user.post(
      '/api/withdraw',
      { amount: 4, to_address: payee },
      { headers: { 'idempotency-key': 'w' } },
    )
  const asked = await own.during(withdraw(), { always: true })
  expect(asked.status, asked.text).toBe(200)
  const paying = own.during(present(w, link.code, payment), { always: true })
  await own.deposit(user.account, 2_000_000n)
  await paying
  const [shown, head] = [
    await w.chain.rpc.getBlockNumber({ cacheTime: 0 }),
    await own.node.getBlockNumber(),
  ]
  expect(Number(head - shown)).toBe(BEHIND)
  const isOver = async () => {
    const state = await one<{ left: bigint }>(
      w.db.reader,
      sql`select (select count(*) from withdrawals where status <> 'COMPLETED')
        + (select count(*) from watched_transfers where state in ('seen', 'passed_on')) as left`,
    )
    const { status } = (await w.call('GET', `/api/paylinks/${link.code}`)).body
    return state?.left === 0n && status === 'COMPLETED' && (await balanceOf(user)) === 7
  }
  await own.until(async () => {
    await own.blocks(5)
    return isOver()
  })
  expect((await withdraw()).body.withdrawal_id).toBe(asked.body.withdrawal_id)
  own.nodes[0]?.fault(undefined)
  await own.until(isOver)
  expect(await own.usdcOf(payee)).toBe(3_950_000n)
  await own.expectBooksToMatch()
  expect(await own.alarms()).toEqual([])
})

test.concurrent('the first of two nodes a minute behind: the second is read, and the watcher never goes back', async () => {
  await using own = await ownWorld({ nodes: 2 })
  const { w } = own
  const user = await w.user({ usdc: 5 })
  await own.blocks(BEHIND + 10)
  await own.until(async () => (await cursorOf(own)) > 0n)
  const seen = [await cursorOf(own)]
  own.nodes[0]?.fault(late(own))
  await own.deposit(user.account, 2_000_000n)
  await own.blocks(10)
  for (const isLate of [true, false, true, true]) {
    own.nodes[0]?.fault(isLate ? late(own) : undefined)
    await own.blocks(2)
    await watchOnce(w.services, w.now())
    seen.push(await cursorOf(own))
  }
  expect(seen).toEqual(seen.toSorted((a, b) => Number(a - b)))
  await own.during(w.runJobs())
  expect(await balanceOf(user)).toBe(2)
  await own.until(async () => (await balanceOf(user)) === 2, 1)
  await own.expectBooksToMatch()
})
