import { randomHex } from '../../../src/base/kernel/secrets.ts'
import { until } from '../../until.ts'
import type { ChainWallet } from '../chain-wallet.ts'
import { insist, type Outcome, type Request } from '../client.ts'
import type { Seller } from '../seller.ts'
import type { Stage } from '../stage.ts'
import { Pool } from './pool.ts'

type Hex = `0x${string}`
type Card = { id: string; token: string }
type Link = { code: string; address: Hex }
export type Buyer = { wallet: ChainWallet; key: string }
export type Player = Buyer & {
  card: Card
  link: Link
  /** Paid to the player's own wallet. */
  direct: Link
  /** The address of its withdrawals, which nobody else pays. */
  payee: Hex
}
/** An agreement between two players, and the periods that it must have charged. */
export type Agreed = { id: string; charges: number }
/** The source of a membership's next period: money set aside, the balance, or the wallet on chain. */
export type Mode = 'reserve' | 'balance' | 'allowance'
/** A wallet that does nothing but renew its membership, and the periods that it must have paid. */
export type Member = { wallet: ChainWallet; key: string; mode: Mode; kept: bigint; periods: number }
/** An act on the service or the chain, with its final answer. */
export type Claim<Act extends string = string> = {
  act: Act
  ref: string
  value: bigint
  outcome: Outcome
}
export type World = {
  stage: Stage
  seller: Seller
  players: Player[]
  treasury: Hex
  /** The contract that takes money out of wallets. */
  operator: Hex
  claims: Claim[]
  agreements: Pool<Agreed>
  members: Record<Mode, Pool<Member>>
  /** Requests that never got a final answer. */
  unanswered: string[]
}
export const emptyWorld = (
  of: Pick<World, 'stage' | 'seller' | 'treasury' | 'operator'>,
): World => ({
  ...of,
  ...{ players: [], claims: [], unanswered: [], agreements: new Pool() },
  members: { reserve: new Pool(), balance: new Pool(), allowance: new Pool() },
})

export const USD = 1_000_000n
export const toUsd = (value: bigint): number => Number(value) / Number(USD)
export const post = (path: string, body: unknown): Request => ({ method: 'POST', path, body })

const onChainOnly: Outcome = {
  reply: { status: 200, body: {} },
  tries: 0,
  lost: 0,
  failed: 0,
  tookMs: 0,
}
/** Records what was done on chain, without the service. */
export const note = (world: World, claim: Omit<Claim, 'outcome'>): void =>
  void world.claims.push({ ...claim, outcome: onChainOnly })

export type Move = { world: World; player: Player; other: Player; isOver: () => boolean }
type Caller = Pick<Move, 'world' | 'isOver'> & { player: { key: string } }

/** Sends one request with its own key until it has a final answer, records the answer, and returns its body if it is 200. */
export async function claim(
  { world, player, isOver }: Caller,
  of: { act: string; value: bigint; ref?: string; request: Request },
): Promise<any | undefined> {
  const ref = of.ref ?? randomHex(12)
  const outcome = await insist(world.stage.baseUrl, signedBy(player, of.request, ref), isOver)
  if (outcome) world.claims.push({ act: of.act, value: of.value, ref, outcome })
  else world.unanswered.push(`${of.act} ${ref}`)
  return outcome?.reply.status === 200 ? outcome.reply.body : undefined
}

const signedBy = (player: { key: string }, request: Request, ref: string): Request => ({
  ...request,
  headers: {
    authorization: `Bearer ${player.key}`,
    'idempotency-key': ref,
    ...request.headers,
  },
})

/** Sends a request that prepares a claim, until it has the expected answer. */
export async function mustAsk(
  { world, isOver }: Pick<Move, 'world' | 'isOver'>,
  request: Request,
  status: number,
): Promise<any | undefined> {
  const outcome = await insist(world.stage.baseUrl, request, isOver)
  if (outcome?.reply.status === status) return outcome.reply.body
  world.unanswered.push(`${request.path}: ${JSON.stringify(outcome?.reply)}`)
  return undefined
}

/** The same by the player, with a key of its own: a repetition makes nothing twice. */
export const mustPost = (move: Caller, path: string, body: unknown): Promise<any | undefined> =>
  mustAsk(move, signedBy(move.player, post(path, body), randomHex(12)), 200)

const LOOK_MS = 250

/** Waits until it is so, or the move is over. A database that was killed is asked again. */
export async function untilSo(
  { isOver }: Pick<Move, 'isOver'>,
  isSo: () => Promise<boolean>,
): Promise<void> {
  await until(async () => isOver() || (await isSo().catch(() => false)), Boolean, {
    everyMs: LOOK_MS,
  })
}
