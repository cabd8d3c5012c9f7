import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type MarketKit,
  marketKit,
  pathOf,
  TERMS,
  TOKEN,
} from '../../../../test/actors/markets/market-kit.ts'
import {
  creationLog,
  logTogether,
  placeEmitter,
  type StreamTerms,
  sabliers,
} from '../../../../test/actors/markets/stream-kit.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import { randomHex } from '../../../base/kernel/secrets.ts'

let w: World
let kit: MarketKit
beforeAll(async () => {
  w = await world()
  kit = marketKit(w)
  for (const lockup of sabliers(w)) await placeEmitter(w, lockup)
})
afterAll(() => w[Symbol.asyncDispose]())

const KEPT = (BigInt(TERMS.supply) * TOKEN) / 10n
const YEAR = 365 * 86_400
const newest = () => sabliers(w)[0]!

type Launched = Awaited<ReturnType<MarketKit['launch']>>
const confirm = (user: User, { card }: Launched, vestingTx: Hex, keepBps = TERMS.keep_bps) =>
  user.post(pathOf(card, '/vesting-confirm'), { vestingTx, keepBps })

async function launched(): Promise<{ user: User; market: Launched }> {
  const user = await w.user()
  return { user, market: await kit.launch(user) }
}

/** A stream as it should be. Ids are new, since many tests share the chain's contracts. */
const good = (user: User, { token }: Pick<Launched, 'token'>): StreamTerms => ({
  streamId: BigInt(randomHex(6)),
  funder: user.account.address,
  sender: user.account.address,
  recipient: user.account.address,
  token,
  deposit: KEPT,
  seconds: YEAR,
})

async function log(user: User, terms: StreamTerms, lockup = newest()): Promise<Hex> {
  const hash = await kit.send(user.account, {
    to: lockup.address,
    data: creationLog(lockup, terms),
  })
  await w.safe()
  return hash
}

test('the stream of the prepared step counts, once and always alike', async () => {
  const { user, market } = await launched()
  const reply = await confirm(user, market, market.hashes.vest)
  expect([reply.status, reply.body.code ?? '']).toEqual([200, ''])
  const { vesting } = reply.body
  expect(reply.body).toEqual({
    success: true,
    vesting: {
      streamId: expect.stringMatching(/^\d+$/),
      streamUrl: `http://127.0.0.1:4021/explorer/streams/${vesting.streamId}`,
      keepBps: TERMS.keep_bps,
    },
  })
  expect((await confirm(user, market, market.hashes.vest)).body).toEqual(reply.body)
  const other = await confirm(user, market, await log(user, good(user, market)))
  expect([other.status, other.body.code]).toEqual([409, 'already_vested'])
  const shown = await user.get(pathOf(market.card))
  expect(shown.body).toMatchObject({ market: { status: 'VESTED' }, vesting })
  const { events } = (await user.get('/api/events?type=market.vested')).body
  expect(events.map(({ data }: any) => data)).toEqual([
    {
      card_id: market.card.id,
      token: market.token,
      vesting_tx: market.hashes.vest,
      stream_id: vesting.streamId,
      stream_url: vesting.streamUrl,
      keep_bps: TERMS.keep_bps,
    },
  ])
})

test.each(['LK3', 'LK2', 'LK', 'LL3'])(
  "a stream of Sablier's %s is read by its own event, and shown by its alias",
  async (alias) => {
    const { user, market } = await launched()
    const lockup = sabliers(w).find((one) => one.alias === alias)!
    const terms = good(user, market)
    const reply = await confirm(user, market, await log(user, terms, lockup))
    expect([reply.status, reply.body.code ?? '']).toEqual([200, ''])
    expect(reply.body.vesting.streamUrl).toBe(
      `https://app.sablier.com/vesting/stream/${alias}-84532-${terms.streamId}`,
    )
  },
)

test('a stream that differs in anything does not count, and the code says in what', async () => {
  const { user, market } = await launched()
  const stranger = randomHex(20)
  const bad: [Partial<StreamTerms>, string][] = [
    [{ token: w.chain.asset.contract }, 'stream_wrong_token'],
    [{ funder: stranger, sender: stranger }, 'stream_wrong_funder'],
    [{ recipient: stranger }, 'stream_wrong_recipient'],
    [{ transferable: true }, 'stream_wrong_recipient'],
    [{ cancelable: true }, 'stream_cancelable'],
    [{ deposit: KEPT - 1n }, 'stream_too_small'],
    [{ unlocked: 1n }, 'stream_too_small'],
    [{ seconds: YEAR - 1 }, 'stream_too_short'],
    // It ends a day from now, and is free but for a two-thousandth.
    [{ starts: 1, seconds: Math.floor(Date.now() / 1000) + 86_400 }, 'stream_too_short'],
  ]
  for (const [terms, code] of bad) {
    const hash = await log(user, { ...good(user, market), ...terms })
    const reply = await confirm(user, market, hash)
    expect([terms, reply.status, reply.body.code]).toEqual([terms, 422, code])
  }
  expect((await user.get(pathOf(market.card))).body.market.status).toBe('LIVE')
})

// Anybody can write Sablier's event: only the address that wrote it makes it a stream.
test('the event of a contract that is not on the list is no stream, nor is the address of another chain', async () => {
  const { user, market } = await launched()
  const mainnet = '0xc19a09A66887017F603E5dF420ed3Cb9a5c07C0A'
  for (const address of [randomHex(20), mainnet] as const) {
    const copycat = { ...newest(), address }
    await placeEmitter(w, copycat)
    const hash = await log(user, good(user, market), copycat)
    const reply = await confirm(user, market, hash)
    expect([reply.status, reply.body.code]).toEqual([422, 'stream_not_found'])
  }
})

test('two streams in one transaction are ambiguous', async () => {
  const { user, market } = await launched()
  const [first, second] = sabliers(w)
  const logs = [first!, second!].map((lockup) => ({
    lockup,
    data: creationLog(lockup, good(user, market)),
  }))
  const hash = await kit.send(user.account, logTogether(logs))
  await w.safe()
  const reply = await confirm(user, market, hash)
  expect([reply.status, reply.body.code]).toEqual([422, 'stream_ambiguous'])
})

test('one stream counts for one card', async () => {
  const [one, two] = [await launched(), await launched()]
  const terms = good(one.user, one.market)
  expect((await confirm(one.user, one.market, await log(one.user, terms))).status).toBe(200)
  const same = { ...good(two.user, two.market), streamId: terms.streamId }
  const reply = await confirm(two.user, two.market, await log(two.user, same))
  expect([reply.status, reply.body.code]).toEqual([409, 'stream_used'])
  const own = await confirm(two.user, two.market, two.market.hashes.vest)
  expect([own.status, own.body.code ?? '']).toEqual([200, ''])
})

test('a stream from before the token is too old', async () => {
  const user = await w.user()
  const card = await user.card()
  const first = await kit.prepare(user, card)
  // The stream's transaction uses one nonce, and the token comes from the next.
  const [deploy] = first.transactions
  const old = await log(user, good(user, first))
  const prepared = await kit.prepare(user, card)
  const early = await log(user, good(user, { token: (await kit.prepare(user, card)).token }))
  expect([deploy!.step, prepared.nonce]).toEqual(['deploy', first.nonce + 1])
  const last = await kit.prepare(user, card)
  const hashes = await kit.sendAll(user, last)
  await w.safe()
  expect((await kit.confirm(user, card, hashes)).status).toBe(200)
  const market = { card } as Launched
  expect((await confirm(user, market, early)).body.code).toBe('stream_too_old')
  expect((await confirm(user, market, old)).body.code).toBe('stream_too_old')
})

test('what cannot be judged yet and what never can have codes of their own', async () => {
  const user = await w.user()
  const card = await user.card()
  const unknown = randomHex(32)
  const market = { card } as Launched
  const codeOf = async (hash: Hex, keepBps = TERMS.keep_bps) => {
    const { status, body, headers } = await confirm(user, market, hash, keepBps)
    return [status, body.code, headers['retry-after'] !== undefined]
  }
  expect(await codeOf(unknown)).toEqual([409, 'market_not_live', false])
  const prepared = await kit.prepare(user, card)
  expect(await codeOf(unknown)).toEqual([409, 'market_not_live', false])
  const hashes = await kit.sendAll(user, prepared)
  await w.safe()
  await kit.confirm(user, card, hashes)
  expect(await codeOf(unknown)).toEqual([404, 'transaction_not_found', false])
  expect(await codeOf(unknown, 999)).toEqual([422, 'keep_mismatch', false])
  expect(await codeOf(hashes.list)).toEqual([422, 'stream_not_found', false])
  const failing = { to: newest().address, data: '0x' as const, gas: 40_000 }
  const reverted = await kit.send(user.account, { ...failing, to: w.chain.asset.contract })
  await w.safe()
  expect(await codeOf(reverted)).toEqual([422, 'transaction_reverted', false])
  const stranger = await w.user()
  expect((await confirm(stranger, market, hashes.vest)).body.code).toBe('not_found')
})
