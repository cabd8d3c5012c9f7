import { type Hex, keccak256 } from 'viem'
import type { Db } from '../db/sql.ts'
import { all, one, run, sql, type Tx } from '../db/sql.ts'
import { assert } from '../kernel/assert.ts'
import type { Address } from '../kernel/assets.ts'
import { type Id, newId } from '../kernel/ids.ts'
import { askChain, type Chain } from './chain.ts'
import { findReceipt } from './reads.ts'

/** A call that a relayer carries to the chain: it pays the gas and nothing else. */
export type Send = { ref: string; to: Address; data: Hex; gas: bigint }
export type SendState = {
  id: Id<'snd'>
  ref: string
  toAddress: Address
  data: Buffer
  gas: bigint
  state: 'queued' | 'signed' | 'mined'
  relayer: string | null
  nonce: bigint | null
  raw: Buffer | null
  hash: Hex | null
  succeeded: boolean | null
  blockNumber: bigint | null
}
type Deps = { db: Db; chain: Chain }

/** Writes the send down, once per cause, in the transaction that decides it. Nothing reaches the network yet. */
export async function queueSend(tx: Tx, at: Date, send: Send): Promise<void> {
  await sql`insert into chain_sends (id, ref, to_address, data, gas, created_at)
    values (${newId('snd', at)}, ${send.ref}, ${send.to}, ${Buffer.from(send.data.slice(2), 'hex')}, ${send.gas}, ${at})
    on conflict (ref) do nothing`.execute(tx)
}

/** The send as it stands. */
export const findSend = (deps: Pick<Deps, 'db'>, ref: string): Promise<SendState | undefined> =>
  one<SendState>(
    deps.db.reader,
    sql`select id, ref, to_address, data, gas, state, relayer, nonce, raw, hash, succeeded, block_number
      from chain_sends where ref = ${ref}`,
  )

const MIN_TIP = 1_000_000n

/**
 * Brings a queued send to the chain: signs it under the relayer's nonce, stores the bytes, commits, then broadcasts.
 * Safe to repeat: what was signed before is broadcast again, byte for byte.
 */
export async function broadcastSend(deps: Deps, ref: string): Promise<void> {
  let send = await findSend(deps, ref)
  assert(send, `send ${ref} was queued`)
  if (send.state === 'mined') return
  if (send.state === 'queued') {
    await signSend(deps, send)
    send = await findSend(deps, ref)
  }
  assert(send?.raw, `send ${ref} was signed`)
  const serializedTransaction: Hex = `0x${send.raw.toString('hex')}`
  await askChain(async () => {
    try {
      await deps.chain.rpc.sendRawTransaction({ serializedTransaction })
    } catch (error) {
      if (!isKnownAlready(error)) throw error
    }
  })
}

async function signSend({ db, chain }: Deps, send: SendState): Promise<void> {
  const relayer =
    chain.relayers[Number(BigInt(keccak256(Buffer.from(send.ref))) % BigInt(chain.relayers.length))]
  assert(relayer, 'there is a relayer')
  const [count, block] = await askChain(() =>
    Promise.all([
      chain.rpc.getTransactionCount({ address: relayer.address, blockTag: 'latest' }),
      chain.rpc.getBlock({ blockTag: 'latest' }),
    ]),
  )
  const baseFee = block.baseFeePerGas ?? 0n
  await db
    .write(async (tx) => {
      await sql`insert into chain_relayers (address) values (${relayer.address}) on conflict do nothing`.execute(
        tx,
      )
      const [row] = await all<{ nonce: bigint }>(
        tx,
        sql`update chain_relayers set next_nonce = greatest(next_nonce, ${count}) + 1
        where address = ${relayer.address} returning next_nonce - 1 as nonce`,
      )
      assert(row, 'the relayer has a row')
      const raw = await relayer.signTransaction({
        type: 'eip1559',
        chainId: chain.chainId,
        nonce: Number(row.nonce),
        to: send.toAddress,
        data: `0x${send.data.toString('hex')}`,
        gas: send.gas,
        maxPriorityFeePerGas: MIN_TIP,
        maxFeePerGas: baseFee * 3n + MIN_TIP,
      })
      const stored = await run(
        tx,
        sql`update chain_sends set state = 'signed', relayer = ${relayer.address}, nonce = ${row.nonce},
        raw = ${Buffer.from(raw.slice(2), 'hex')}, hash = ${keccak256(raw)} where id = ${send.id} and state = 'queued'`,
      )
      // Another process signed it first: give the nonce back by undoing this transaction.
      if (stored === 0) throw new AlreadySigned()
    })
    .catch((error) => {
      if (!(error instanceof AlreadySigned)) throw error
    })
}

class AlreadySigned extends Error {}

const KNOWN_ALREADY = /already known|already imported|nonce too low|known transaction/i
const isKnownAlready = (error: unknown): boolean =>
  error instanceof Error &&
  KNOWN_ALREADY.test(`${error.message} ${String((error as { details?: unknown }).details)}`)

/** Looks for the send's receipt once and writes the result down. Undefined while no block holds it. */
export async function checkSend(deps: Deps, ref: string): Promise<SendState | undefined> {
  const send = await findSend(deps, ref)
  if (send?.state === 'mined') return send
  if (!send?.hash) return undefined
  const { hash } = send
  const receipt = await askChain(() => findReceipt(deps.chain, hash))
  if (!receipt) return undefined
  const succeeded = receipt.status === 'success'
  await deps.db.write((tx) =>
    run(
      tx,
      sql`update chain_sends set state = 'mined', succeeded = ${succeeded}, block_number = ${receipt.blockNumber}
        where id = ${send.id} and state = 'signed'`,
    ),
  )
  return { ...send, state: 'mined', succeeded, blockNumber: receipt.blockNumber }
}

const POLL_MS = 150

/** Broadcasts the send and waits until a block holds it, at most `timeoutMs`; undefined if none did by then. */
export async function sendAndWait(
  deps: Deps,
  ref: string,
  timeoutMs: number,
): Promise<SendState | undefined> {
  await broadcastSend(deps, ref)
  for (let waited = 0; waited <= timeoutMs; waited += POLL_MS) {
    const mined = await checkSend(deps, ref)
    if (mined) return mined
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return undefined
}
