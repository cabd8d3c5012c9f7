import { randomHex } from '../../../src/base/kernel/secrets.ts'
import { until } from '../../until.ts'
import { type ChainWallet, openWallet } from '../chain-wallet.ts'
import { insist, type Request } from '../client.ts'
import { openSeller } from '../seller.ts'
import type { Stage } from '../stage.ts'
import { type Buyer, emptyWorld, note, type Player, post, toUsd, USD, type World } from './moves.ts'

const FUNDS = 1_000_000n * USD
const OPENING = 20_000n * USD
const CARD_LIMIT = 5_000
/** The price of every link. */
export const LINK_PRICE = 100_000n
/** A DIRECT settlement in so many is free, so that most are paid by the meter. */
const QUOTA = 3
const METER = 500n * USD
const AGAIN_MS = 300

/** Players with money, cards and links each, and a seller. The service must be running. */
export async function openWorld(
  stage: Stage,
  options: { players: number; sellerTimeoutSeconds: number },
): Promise<World> {
  const asked = { method: 'GET', path: '/api/config' }
  const config = await insist(stage.baseUrl, asked, () => false)
  const seller = await openSeller(stage.rpcUrl, options.sellerTimeoutSeconds)
  const { treasury, operator } = config?.reply.body ?? {}
  const world = emptyWorld({ stage, seller, treasury: treasury.evm, operator })
  await stage.query(`update plans set direct_quota = ${QUOTA} where tier = 'starter'`)
  const opening = Array.from({ length: options.players }, () => openPlayer(world))
  world.players.push(...(await Promise.all(opening)))
  return world
}

/** Sends requests that must succeed, as often as it takes. */
export type Must = (path: string, body: unknown, key?: string) => Promise<any>

const mustOf =
  ({ stage }: World): Must =>
  async (path, body, key) => {
    const headers = key ? { authorization: `Bearer ${key}` } : {}
    const request: Request = { ...post(path, body), headers }
    const outcome = await insist(stage.baseUrl, request, () => false)
    if (outcome?.reply.status !== 200)
      throw new Error(`setup: ${path} ${JSON.stringify(outcome?.reply)}`)
    return outcome.reply.body
  }

/** Signs the wallet in, and answers an API key. A challenge whose answer was lost is used up: it asks for another. */
export async function signIn(world: World, wallet: ChainWallet): Promise<string> {
  const must = mustOf(world)
  for (;;) {
    const { message } = await must('/api/auth/challenge', { wallet_address: wallet.address })
    const signature = await wallet.account.signMessage({ message })
    const verify = post('/api/auth/verify', { message, signature })
    const verified = await insist(world.stage.baseUrl, verify, () => false)
    const token = verified?.reply.body.token
    if (token) return (await must('/api/keys/generate', {}, token)).api_key
  }
}

/** Transfers money to the treasury, and waits until the balance has it. */
export async function deposit(
  world: World,
  { wallet, key }: { wallet: ChainWallet; key: string },
  value: bigint,
): Promise<void> {
  const hash = await wallet.transfer(world.treasury, value)
  note(world, { act: 'depositOnChain', ref: hash, value })
  const must = mustOf(world)
  await until(
    () => must('/api/fund/verify', { tx_hash: hash }, key),
    ({ status }) => status === 'confirmed',
    { everyMs: AGAIN_MS },
  )
}

/** A wallet that has signed in and deposited money, and has nothing else. */
export async function openBuyer(world: World): Promise<Buyer> {
  const wallet = await openWallet(world.stage.rpcUrl, FUNDS)
  const buyer = { wallet, key: await signIn(world, wallet) }
  await deposit(world, buyer, OPENING)
  return buyer
}

async function openPlayer(world: World): Promise<Player> {
  const must = mustOf(world)
  const { wallet, key } = await openBuyer(world)
  const issue = { purpose: 'opening', limit_amount: CARD_LIMIT }
  const { card } = await must('/api/issue', issue, key)
  const link = async (card_id: string) => {
    const terms = { card_id, amount: toUsd(LINK_PRICE), max_uses: 0 }
    const made = await must('/api/paylinks', terms, key)
    return { code: made.code, address: made.deposit_address }
  }
  await must('/api/membership/subscribe', { tier: 'starter', billing_period: 'month' }, key)
  await must('/api/fees/topup', { amount: toUsd(METER) }, key)
  const direct = await must('/api/issue', { ...issue, settlement_mode: 'DIRECT' }, key)
  return {
    ...{ wallet, key, card },
    link: await link(card.id),
    direct: { ...(await link(direct.card.id)), address: wallet.address },
    payee: randomHex(20),
  }
}
