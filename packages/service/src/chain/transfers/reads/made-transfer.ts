import type { Address, Hex, Network } from '../../../base/kernel/assets.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { sha256 } from '../../../base/kernel/secrets.ts'
import { eip3009Abi, erc20Abi } from '../../../base/protocols/evm/eip3009/abi.ts'
import { askChain, nonceOf, type Rail } from '../../client/chain.ts'
import { isAuthorizationUsed, readTransaction } from '../../client/reads.ts'
import { findAuthorizationUse } from './find-use.ts'

type Purpose = 'withdrawal' | 'pay'
/** A payout requested under an Idempotency-Key, as a retry would request it. `amount` is in base units. */
export type Intent = {
  purpose: Purpose
  walletAddress: string
  key: string
  network: Network
  asset: string
  amount: bigint
  payee: Address
}

/** A transfer that this treasury made, as the chain shows it. `value` is in base units. */
export type MadeTransfer = { txHash: Hex; blockNumber: bigint; value: bigint }

export const intentDigest = (intent: Intent): Buffer => {
  const { purpose, network, asset, walletAddress, key, amount, payee } = intent
  return sha256(
    JSON.stringify([purpose, network, asset, walletAddress, key, String(amount), payee]),
  )
}

/**
 * The EIP-3009 nonce of an intent. `earlier` counts the intents with the same digest in the database. A database
 * restored from a backup computes the same nonce again, so the token refuses to pay twice.
 */
export const intentNonce = (purpose: Purpose, digest: Buffer, earlier: number): Hex =>
  nonceOf(purpose, `${digest.toString('hex')}:${earlier}`)

/**
 * The transfer that already used this nonce of the treasury, or undefined if it is unused. Throws
 * `idempotency_conflict` if it was used before the searched blocks.
 */
export async function findMadeTransfer(rail: Rail, nonce: Hex): Promise<MadeTransfer | undefined> {
  const { address } = rail.treasury
  if (!(await isAuthorizationUsed(rail, address, nonce))) return undefined
  const use = await findAuthorizationUse(rail, { from: address, nonce })
  const mined = use && (await readTransaction(rail, use.txHash))
  const made = mined?.transfers.find(
    ({ from, authNonce }) => from === address && authNonce === nonce,
  )
  if (mined && made) return { txHash: mined.hash, blockNumber: made.blockNumber, value: made.value }
  throw new Problem(
    'idempotency_conflict',
    'The chain shows that this was paid more than a week ago. Use a new Idempotency-Key for a new payment.',
  )
}

/** The nonces that the treasury's authorizations used since this block, as the newest block shows them. */
export async function findTreasuryNonces(rail: Rail, fromBlock: bigint): Promise<Hex[]> {
  const logs = await askChain(() =>
    rail.rpc.getContractEvents({
      address: rail.asset.contract,
      abi: eip3009Abi,
      eventName: 'AuthorizationUsed',
      args: { authorizer: rail.treasury.address },
      fromBlock,
      toBlock: 'latest',
      strict: true,
    }),
  )
  return logs.map(({ args }) => args.nonce)
}

/** A transfer out of the treasury, as the newest block shows it. */
export type TreasuryTransfer = { txHash: Hex; to: Address; value: bigint }

/** The transfers of the rail's asset that left the treasury since this block, as the newest block shows them. */
export async function findTreasuryTransfers(
  rail: Rail,
  fromBlock: bigint,
): Promise<TreasuryTransfer[]> {
  const logs = await askChain(() =>
    rail.rpc.getContractEvents({
      address: rail.asset.contract,
      abi: erc20Abi,
      eventName: 'Transfer',
      args: { from: rail.treasury.address },
      fromBlock,
      toBlock: 'latest',
      strict: true,
    }),
  )
  return logs.map(({ transactionHash: txHash, args: { to, value } }) => ({ txHash, to, value }))
}
