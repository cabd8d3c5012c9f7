import { expect, test } from 'vitest'
import { authorizationTypedData } from '../../src/base/protocols/evm/eip3009/authorization.ts'
import { findUse } from '../../src/chain/transfers/reads/standing.ts'
import { ownWorld } from './own-world.ts'

/** Public nodes answer no more blocks than this in one question for logs. */
const RANGE_BLOCKS = 2_000n
/** The node says that so many empty blocks were made since. */
const EMPTY = 4_100n

test('a use is found below more blocks than a node answers at once', async () => {
  await using own = await ownWorld({ nodes: 1 })
  const { chain } = own.w
  const payer = await own.payer()
  const authorization = {
    from: payer.address,
    to: chain.treasury.address,
    value: 1_000_000n,
    validAfter: 0n,
    validBefore: 2n ** 40n,
    nonce: `0x${'07'.repeat(32)}` as const,
  }
  const typed = authorizationTypedData(chain.asset, authorization)
  const fromBlock = await own.node.getBlockNumber()
  expect(await findUse(chain, authorization, fromBlock)).toBeUndefined()
  await own.carry({ authorization, signature: await payer.signTypedData(typed) })
  const log = await own.lastLogTo(chain.treasury.address)
  const head = await own.node.getBlockNumber()

  const ranges: number[] = []
  own.nodes[0]?.fault(async ({ method, params }, next) => {
    if (method === 'eth_getBlockByNumber') {
      const { result } = (await next()) as { result: { number: string } }
      return { result: { ...result, number: `0x${(BigInt(result.number) + EMPTY).toString(16)}` } }
    }
    if (method !== 'eth_getLogs') return undefined
    const [{ fromBlock, toBlock, ...rest }] = params
    const [from, to] = [BigInt(fromBlock), toBlock === 'latest' ? head + EMPTY : BigInt(toBlock)]
    ranges.push(Number(to - from) + 1)
    if (to - from >= RANGE_BLOCKS) return { error: { code: -32_005, message: 'too many blocks' } }
    return from > head ? { result: [] } : next([{ ...rest, fromBlock, toBlock: 'latest' }])
  })
  expect(await findUse(chain, authorization, fromBlock)).toMatchObject({
    txHash: log?.transactionHash,
    blockNumber: log?.blockNumber,
  })
  // The newest blocks come first, and nothing below `fromBlock` is searched.
  expect(ranges).toEqual([2_000, 2_000, Number(head - fromBlock) + 101])
})
