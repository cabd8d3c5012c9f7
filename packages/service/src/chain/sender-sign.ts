import { type Hex, keccak256 } from 'viem'
import { all, type Db, sql } from '../db/sql.ts'
import { assert } from '../kernel/assert.ts'
import type { Address } from '../kernel/assets.ts'
import { reach } from '../kernel/fault-points.ts'
import type { Chain } from './chain.ts'
import { wakeRelayers } from './sender-gas.ts'
import { type Head, readRecentHead } from './sender-head.ts'
import {
  type Attempt,
  assignNonce,
  MAX_IN_FLIGHT,
  type SendState,
  storeAttempt,
} from './sender-store.ts'
import type { Signer } from './signers/signer.ts'

/** The part of a logger that the sender uses; without one it works in silence. */
export type SenderLog = {
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}
export type SenderDeps = { db: Db; chain: Chain; log?: SenderLog }

/** Wei per gas. */
const MIN_TIP = 1_000_000n
/** How often the base fee may rise by an eighth before a transaction waits: three times is nine blocks. */
const BASE_FEE_ROOM = 3n

export const relayerOf = (chain: Chain, address: string | null): Signer | undefined =>
  chain.relayers.find((relayer) => relayer.address === address)

/** Our relayers that may take one more, those with the fewest unmined sends first. */
async function findFreeRelayers({ db, chain }: SenderDeps): Promise<Address[]> {
  const ours = chain.relayers.map(({ address }) => address)
  const rows = await all<{ address: Address }>(
    db.reader,
    sql`select r.address from chain_relayers r left join chain_sends s
        on s.relayer = r.address and s.state <> 'mined' and s.nonce is not null
      where r.address = any(${ours}) and not r.is_resting
      group by r.address having count(s.id) < ${MAX_IN_FLIGHT} order by count(s.id), random()`,
  )
  return rows.map(({ address }) => address)
}

/** Sees to it that every relayer of ours has a row. */
async function enrol({ db, chain }: SenderDeps): Promise<void> {
  const ours = chain.relayers.map(({ address }) => address)
  const known = await all(
    db.reader,
    sql`select 1 from chain_relayers where address = any(${ours}) limit ${ours.length}`,
  )
  if (known.length === ours.length) return
  await db.write(async (tx) => {
    await sql`insert into chain_relayers (address) select unnest(${ours}::text[]) on conflict do nothing`.execute(
      tx,
    )
  })
}

/** Gives a queued send a relayer and its next nonce. Undefined while all of them are busy or out of gas. */
export async function assignRelayer(
  deps: SenderDeps,
  send: SendState,
): Promise<SendState | undefined> {
  assert(deps.chain.relayers.length > 0, 'there is a relayer')
  // The chain is looked at first: another one's count would be believed for ever.
  const { counts } = await readRecentHead(deps.chain)
  let free = await findFreeRelayers(deps)
  if (free.length === 0) {
    await enrol(deps)
    // Looked at again in any case: another caller may have enrolled them just now.
    free = await findFreeRelayers(deps)
  }
  if (free.length === 0 && (await wakeRelayers(deps))) free = await findFreeRelayers(deps)
  for (const relayer of free) {
    const count = counts.get(relayer) ?? 0
    const given = await deps.db.write((tx) => assignNonce(tx, { sendId: send.id, relayer, count }))
    if (given) {
      reach('chain.nonce_assigned')
      return given
    }
  }
  return undefined
}

/** Wei per gas: what the block asks with room to rise and, beside an earlier attempt, an eighth more in both parts. */
export function feesFor(head: Head, before?: Pick<Attempt, 'maxFee' | 'maxTip'>) {
  const more = (fee: bigint): bigint => (fee * 9n) / 8n + 1n
  const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)
  const maxTip = before ? max(more(before.maxTip), MIN_TIP) : MIN_TIP
  const asked = head.baseFee * BASE_FEE_ROOM + maxTip
  return { maxTip, maxFee: before ? max(more(before.maxFee), asked) : asked }
}

type Signing = { head: Head; before?: Attempt | undefined }

/**
 * Signs a send under the nonce that it has and stores the bytes, in the place of an earlier attempt if there is one.
 * Nothing is broadcast. Undefined if another process stored its own first, or the relayer's key is not here.
 */
export async function signAttempt(
  { db, chain }: SenderDeps,
  send: SendState,
  signing: Signing,
): Promise<Attempt | undefined> {
  const attempt = await makeAttempt(chain, send, signing)
  if (!attempt) return undefined
  const stored = await db.write((tx) => storeAttempt(tx, attempt, send.hash))
  reach('chain.after_store')
  return stored ? attempt : undefined
}

/** Signs a send under the nonce that it has, and does no more. Undefined if the relayer's key is not here. */
export async function makeAttempt(
  chain: Chain,
  send: SendState,
  { head, before }: Signing,
): Promise<Attempt | undefined> {
  const relayer = relayerOf(chain, send.relayer)
  if (!relayer || send.nonce === null) return undefined
  const fees = feesFor(head, before)
  reach('chain.before_sign')
  const signed = await relayer.signTransaction({
    type: 'eip1559',
    chainId: chain.chainId,
    nonce: Number(send.nonce),
    to: send.toAddress,
    data: `0x${send.data.toString('hex')}`,
    gas: send.gas,
    maxPriorityFeePerGas: fees.maxTip,
    maxFeePerGas: fees.maxFee,
  })
  reach('chain.after_sign')
  return {
    ...fees,
    hash: keccak256(signed as Hex),
    sendId: send.id,
    relayer: relayer.address,
    nonce: send.nonce,
    raw: Buffer.from(signed.slice(2), 'hex'),
    atBlock: head.number,
  }
}
