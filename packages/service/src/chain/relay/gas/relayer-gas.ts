import type { Db } from '../../../base/db/sql.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { askChain, type Chain } from '../../client/chain.ts'
import type { RationCode, Rationed } from './reserve.ts'
import { findRelayers, findResting, storeAwake, storeBalance, storeResting } from './store.ts'

type Deps = { db: Db; chain: Chain }

/** The most gas that one send may cost. */
export const SEND_GAS = 400_000n
const FEE_ROOM = 3n

export type RelayerGas = {
  address: Address
  /** Wei. */
  balance: bigint
  /** How many sends it can pay for at three times the newest block's base fee. */
  sends: bigint
}

/** Each relayer's balance, and the number of sends that it pays for. */
export const readGas = ({ chain }: Pick<Deps, 'chain'>): Promise<RelayerGas[]> =>
  askChain(async () => {
    const [block, ...balances] = await Promise.all([
      chain.rpc.getBlock({ blockTag: 'latest' }),
      ...chain.relayers.map(({ address }) => chain.rpc.getBalance({ address })),
    ])
    const fee = (block.baseFeePerGas ?? 0n) * FEE_ROOM + 1_000_000n
    return chain.relayers.map(({ address }, i) => {
      const balance = balances[i] ?? 0n
      return { address, balance, sends: balance / (fee * SEND_GAS) }
    })
  })

/** A relayer that can pay for fewer sends is reported, while there is time to send it gas. */
export const LOW_SENDS = 200n
export type GasLevel = { level: 'enough' | 'low' | 'out'; sentence: string }

/** The relayers' gas in words. Log, status page, readiness and alarms all use this measure. */
export function gasLevelOf(gas: readonly RelayerGas[]): GasLevel {
  if (gas.some(({ sends }) => sends === 0n))
    return {
      level: 'out',
      sentence: 'A relayer has no gas: payments that this service carries to the chain may wait.',
    }
  return gas.some(({ sends }) => sends < LOW_SENDS)
    ? { level: 'low', sentence: 'A relayer is low on gas.' }
    : { level: 'enough', sentence: 'The relayers have gas.' }
}

const addressesOf = ({ relayers }: Chain): Address[] => relayers.map(({ address }) => address)

/** Lets resting relayers work again if they can pay for a send now. True if any was woken. */
export async function wakeRelayers(deps: Deps): Promise<boolean> {
  const resting = await findResting(deps.db.reader, addressesOf(deps.chain))
  if (resting.length === 0) return false
  const gas = await readGas(deps)
  const able = gas.filter(({ sends }) => sends > 0n).map(({ address }) => address)
  return (await deps.db.write((tx) => storeAwake(tx, able))) > 0
}

/** Stops giving sends to a relayer that cannot pay. True if it was awake until now. */
export const restRelayer = async ({ db }: Pick<Deps, 'db'>, address: Address): Promise<boolean> =>
  (await db.write((tx) => storeResting(tx, address))) > 0

/** Whether none of our relayers can pay for a transaction. */
export async function isOutOfGas({ db, chain }: Deps): Promise<boolean> {
  const ours = addressesOf(chain)
  const relayers = await findRelayers(db.reader, ours)
  return relayers.length === ours.length && relayers.every(({ isResting }) => isResting)
}

/** Stores what the relayers hold, for the metrics. */
export async function storeGas(
  { db }: Pick<Deps, 'db'>,
  at: Date,
  gas: RelayerGas[],
): Promise<void> {
  await db.write(async (tx) => {
    for (const held of gas) storeBalance(tx, at, held)
  })
}

const SENTENCES: Record<RationCode, string> = {
  funds_in_flight:
    "The payer's other payments are still on their way to the chain and leave too little of its balance for this one.",
  authorization_in_flight:
    'Another payment with the same authorization nonce is on its way to the chain.',
  payer_waits: 'Earlier payments of this payer failed on chain.',
  token_waits: 'Earlier payments in this token failed on chain.',
  seller_waits: 'Earlier payments to this seller failed on chain.',
  gas_budget_spent: "The gas that this seller's payments may use in a day is used up.",
}

export const RATION_CODES = Object.keys(SENTENCES) as RationCode[]

/** A refusal in the API's words. Nothing was sent, so the same payment may be presented again. */
export type RationRefusal = { code: RationCode; detail: string; headers: { 'retry-after': string } }

export function refusalOfRation({ code, retrySeconds }: Rationed): RationRefusal {
  const named = code === 'stale' ? 'funds_in_flight' : code
  return {
    code: named,
    detail: `${SENTENCES[named]} Nothing was sent. Try the same payment again in ${retrySeconds} s.`,
    headers: { 'retry-after': String(retrySeconds) },
  }
}

export function rationProblem(rationed: Rationed, extra: Record<string, unknown> = {}): Problem {
  const { code, detail, headers } = refusalOfRation(rationed)
  return new Problem(code, detail, { headers, extra })
}
