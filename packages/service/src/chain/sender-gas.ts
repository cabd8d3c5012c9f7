import { all, type Db, type Reader, run, sql } from '../db/sql.ts'
import type { Address } from '../kernel/assets.ts'
import { askChain, type Chain } from './chain.ts'

type Deps = { db: Db; chain: Chain }

/** What one send may cost at most, in gas. */
export const SEND_GAS = 400_000n
const FEE_ROOM = 3n

export type RelayerGas = {
  address: Address
  /** Wei. */
  balance: bigint
  /** How many sends it can pay for at the fee that the newest block asks, with room for it to triple. */
  sends: bigint
}

/** What every relayer holds, and how far that goes. */
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

/** With gas for fewer sends than this somebody is told, while there is time to send some. */
export const LOW_SENDS = 200n
export type GasLevel = { level: 'enough' | 'low' | 'out'; sentence: string }

/** How the relayers stand, in words for anybody: log, status page, readiness and alarms go by this one measure. */
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

/** Lets relayers that ran out of gas work again where they can pay for a send now. True if any was woken. */
export async function wakeRelayers(deps: Deps): Promise<boolean> {
  const ours = deps.chain.relayers.map(({ address }) => address)
  const resting = await all<{ address: Address }>(
    deps.db.reader,
    sql`select address from chain_relayers where address = any(${ours}) and is_resting`,
  )
  if (resting.length === 0) return false
  const gas = await readGas(deps)
  const able = gas.filter(({ sends }) => sends > 0n).map(({ address }) => address)
  const woken = await deps.db.write((tx) =>
    run(
      tx,
      sql`update chain_relayers set is_resting = false where is_resting and address = any(${able})`,
    ),
  )
  return woken > 0
}

/** A relayer that cannot pay is given nothing more. True if it was awake until now. */
export const restRelayer = async ({ db }: Pick<Deps, 'db'>, address: Address): Promise<boolean> =>
  (await db.write((tx) =>
    run(
      tx,
      sql`update chain_relayers set is_resting = true where address = ${address} and not is_resting`,
    ),
  )) > 0

/** Whether none of our relayers can pay for a transaction. */
export async function isOutOfGas({ db, chain }: Deps): Promise<boolean> {
  const ours = chain.relayers.map(({ address }) => address)
  const relayers = await findRelayers(db.reader, ours)
  return relayers.length === ours.length && relayers.every(({ isResting }) => isResting)
}

/** Writes down what the relayers hold, for the metrics. */
export async function storeGas(
  { db }: Pick<Deps, 'db'>,
  at: Date,
  gas: RelayerGas[],
): Promise<void> {
  await db.write(async (tx) => {
    for (const { address, balance } of gas)
      await sql`insert into chain_relayers (address, balance_wei, measured_at) values (${address}, ${balance}, ${at})
        on conflict (address) do update set balance_wei = excluded.balance_wei, measured_at = excluded.measured_at`.execute(
        tx,
      )
  })
}

export type RelayerState = {
  address: Address
  isResting: boolean
  /** As last measured; null before. */
  balanceWei: bigint | null
  unmined: bigint
}

/** The relayers as the sender knows them; one that has never sent or been measured is not among them. */
export const findRelayers = (on: Reader, addresses: readonly Address[]): Promise<RelayerState[]> =>
  all(
    on,
    sql`select r.address, r.is_resting, r.balance_wei, count(s.id) as unmined
      from chain_relayers r left join chain_sends s
        on s.relayer = r.address and s.state <> 'mined' and s.nonce is not null
      where r.address = any(${addresses}) group by r.address`,
  )
