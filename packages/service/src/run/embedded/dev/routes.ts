import { Type } from 'typebox'
import { privateKeyToAccount } from 'viem/accounts'
import { AddressField, AmountIn, HashField, iso, Timestamp } from '../../../api/http/fields.ts'
import { answer, publicRoute, type Route } from '../../../api/http/route.ts'
import { checkOwnPage } from '../../../api/http/server/own-origin.ts'
import type { Services } from '../../../api/http/services.ts'
import { sessionCookie } from '../../../api/keys/cookie.ts'
import { openSessionAt, SESSION_HOURS } from '../../../api/keys/sign-in.ts'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { parsePositiveAmount } from '../../../base/kernel/money.ts'
import { noOperation, notFound, Problem } from '../../../base/kernel/problem.ts'
import { askChain } from '../../../chain/client/chain.ts'
import { defaultAsset } from '../../../chain/client/rails.ts'
import { personAddress, readBlock } from '../../../chain/client/reads.ts'
import { fundGas, mine, mintUsdc, moveTo } from './chain.ts'
import { isDevClock, moveClock } from './clock.ts'
import { answerChallenge } from './seed.ts'
import { DEV_TOKENS, mintToken } from './tokens.ts'

const FAUCET_MAX_UNITS = 1_000_000n
const BLOCKS_MAX = 10_000
const GAS_LEAST_WEI = 10n ** 17n
const GAS_WEI = 10n ** 18n
const ADVANCE_MAX_SECONDS = 10 * 366 * 24 * 3600

/** The embedded chain's address. Without an embedded chain these operations do not exist. */
function embeddedChain({ settings }: Services, path: string): string {
  if (settings.embeddedRpcUrl === null) throw noOperation('POST', path)
  return settings.embeddedRpcUrl
}

const faucet = publicRoute({
  method: 'POST',
  path: '/api/dev/faucet',
  tag: 'Development',
  summary: 'Get test USDC, or another test token, and gas on the embedded chain',
  description:
    'Mints it to the address, in a block of its own: the balance is there when this answers. An address with less than 0.1 ETH is given 1 ETH too, so that it can send transactions. DEV is a plain ERC-20 and DB20 a stand-in for a B20 token; neither has EIP-3009.',
  body: Type.Object(
    {
      wallet_address: AddressField,
      amount: AmountIn,
      asset: Type.Optional(
        Type.Unsafe<string>({
          type: 'string',
          enum: ['USDC', ...DEV_TOKENS.map(({ symbol }) => symbol)],
          description: 'USDC without it',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    tx_hash: HashField,
    contract: AddressField,
    gas_balance: Type.String({ description: 'ETH of the address afterwards, in wei' }),
  }),
  attack: 'none',
  costs: { statements: 0 },
  errors: ['not_found', 'invalid_address', 'invalid_amount', 'chain_unavailable'],
  handle: async ({ body, services }) => {
    const rpcUrl = embeddedChain(services, '/api/dev/faucet')
    const token = DEV_TOKENS.find(({ symbol }) => symbol === body.asset)
    const { chainId } = services.chain
    const asset = defaultAsset(services.chain)
    const { symbol, decimals, contract } = token ?? asset
    const to = personAddress(body.wallet_address, 'wallet_address')
    const amount = parsePositiveAmount(body.amount, decimals)
    if (amount > FAUCET_MAX_UNITS * 10n ** BigInt(decimals))
      throw new Problem(
        'invalid_amount',
        `The faucet gives at most ${FAUCET_MAX_UNITS} ${symbol} at once. Ask for less.`,
        { param: 'amount' },
      )
    const hash = await askChain(async () => {
      const minted = token
        ? await mintToken({ rpcUrl, token, to, amount })
        : await mintUsdc({ rpcUrl, chainId, to, amount })
      await mine({ rpcUrl, blocks: 1 })
      return minted
    })
    return { tx_hash: hash, contract, gas_balance: String(await giveGas(services, to)) }
  },
})

/** Ensures that the address can pay for transactions; returns its wei. */
const giveGas = ({ chain, settings }: Services, address: Address): Promise<bigint> =>
  askChain(async () => {
    const held = await chain.rpc.getBalance({ address })
    const rpcUrl = settings.embeddedRpcUrl
    if (held >= GAS_LEAST_WEI || rpcUrl === null) return held
    await fundGas({ rpcUrl, address, wei: GAS_WEI })
    return GAS_WEI
  })

const session = publicRoute({
  method: 'POST',
  path: '/api/dev/session',
  tag: 'Development',
  summary: 'Sign in to the dashboard as the demo wallet',
  description:
    'On the embedded chain alone. The session is a cookie for the page that asks; a program has the demo wallet’s key in `dev.json`.',
  response: Type.Object({
    wallet_address: Type.String({ description: 'Address of the wallet' }),
    expires_at: Timestamp,
  }),
  attack: 'none',
  costs: { statements: 200 },
  errors: ['not_found', 'origin_not_allowed'],
  handle: async ({ at, headers, services, requestId }) => {
    embeddedChain(services, '/api/dev/session')
    const { db, settings, demoKey } = services
    checkOwnPage(headers, settings)
    if (!demoKey) throw notFound('demo wallet')
    const account = privateKeyToAccount(demoKey.reveal() as Hex)
    const challenge = await answerChallenge(services, at, account)
    const opened = await db.write((tx) =>
      openSessionAt(tx, at, challenge, { settings, requestId, device: headers['user-agent'] }),
    )
    return answer(
      200,
      { wallet_address: opened.walletAddress, expires_at: iso(opened.expiresAt) },
      sessionCookie(settings, headers, {
        value: opened.token,
        maxAgeSeconds: SESSION_HOURS * 3600,
      }),
    )
  },
})

const mineBlocks = publicRoute({
  method: 'POST',
  path: '/api/dev/mine',
  tag: 'Development',
  summary: 'Mine blocks on the embedded chain at once',
  description: 'On the embedded chain alone. What waits for blocks goes on.',
  body: Type.Object(
    {
      blocks: Type.Integer({
        minimum: 1,
        maximum: BLOCKS_MAX,
        description: 'How many blocks to make',
      }),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    block_number: Type.Integer({ description: 'Number of the newest block' }),
  }),
  attack: 'none',
  costs: { statements: 0 },
  errors: ['not_found', 'chain_unavailable'],
  handle: async ({ body, services }) => {
    const rpcUrl = embeddedChain(services, '/api/dev/mine')
    await askChain(() => mine({ rpcUrl, blocks: body.blocks }))
    const head = await readBlock(services.chain, 'latest')
    return { block_number: Number(head.number) }
  },
})

const clock = publicRoute({
  method: 'POST',
  path: '/api/dev/clock',
  tag: 'Development',
  summary: "Move the service's clock forward",
  description:
    'Send `advance_seconds` or `now`. Waiting jobs and the embedded chain move along, so that a month of retries and expiries happens at once. It does not go back, and a restart keeps it.',
  body: Type.Object(
    {
      advance_seconds: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: ADVANCE_MAX_SECONDS,
          description: 'How far to move the clock forward',
        }),
      ),
      now: Type.Optional(Timestamp),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({ now: Timestamp }),
  attack: 'none',
  costs: { statements: 0 },
  errors: ['not_found', 'chain_unavailable'],
  handle: async ({ body, at, services }) => {
    const rpcUrl = embeddedChain(services, '/api/dev/clock')
    const { clock: devClock, db } = services
    if (!isDevClock(devClock)) throw noOperation('POST', '/api/dev/clock')
    // Named by where it goes, so that a repeated request does not move it twice as far.
    const toOffsetMs = devClock.offsetMs + secondsToMove(at, body) * 1000
    const moveChain = (offset: number) => askChain(() => moveTo({ rpcUrl, offset }))
    await moveClock(db, devClock, { toOffsetMs, moveChain })
    return { now: iso(devClock.now()) }
  },
})

function secondsToMove(
  at: Date,
  asked: { advance_seconds?: number | undefined; now?: string | undefined },
): number {
  if ((asked.advance_seconds === undefined) === (asked.now === undefined))
    throw new Problem('invalid_request', 'Send either advance_seconds or now.')
  if (asked.now === undefined) return asked.advance_seconds ?? 0
  const target = Date.parse(asked.now)
  const seconds = Math.ceil((target - at.getTime()) / 1000)
  if (!(seconds >= 1 && seconds <= ADVANCE_MAX_SECONDS))
    throw new Problem(
      'invalid_field',
      `now must be a time after ${iso(at)}, the clock's own, and at most ten years: the clock does not go back.`,
      { param: 'now' },
    )
  return seconds
}

/** These operations exist only with the embedded chain; elsewhere they answer `not_found`. */
export const devRoutes: Route[] = [faucet, session, mineBlocks, clock]
