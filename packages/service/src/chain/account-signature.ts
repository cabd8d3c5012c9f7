import { BaseError, CounterfactualDeploymentFailedError, encodeFunctionData, parseAbi } from 'viem'
import type { Address, Hex } from '../kernel/assets.ts'
import { unwrapSignature } from '../protocols/evm/eip3009/signature.ts'
import { askChain, type Chain } from './chain.ts'
import { hasCode } from './read-code.ts'
import { revertReason } from './simulate.ts'

const ABI = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
])
/** The one word of an account that says yes (EIP-1271). */
const YES = `0x1626ba7e${'0'.repeat(56)}`
/** To deploy a Safe or a Coinbase wallet and verify a passkey in it takes less than a million. */
const ASK_GAS = 5_000_000n

/**
 * Factories whose accounts have addresses that commit to their owners (CREATE2). By any other factory, a stranger could
 * show an account of his own at an address that somebody else's will have: one that counts its accounts (CREATE) gives
 * the next address to whoever is next.
 */
export const ACCOUNT_FACTORIES: readonly Address[] = [
  // The deterministic deployment proxy: the address commits to the whole init code.
  '0x4e59b44847b379578588920cA78FbF26c0B4956C',
  // Coinbase Smart Wallet 1.0 and 1.1.
  '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a',
  '0xBA5ED110eFDBa3D005bfC882d75358ACBbB85842',
  // Safe 1.4.1; the factories before it also make accounts by CREATE.
  '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67',
]

/**
 * Whether the account says that the signature is its own (EIP-1271). A deployed account is asked as it stands. One that
 * is not is asked only for a signature wrapped by ERC-6492, once a known factory has deployed it in the question. An
 * address without code has nobody to ask: no.
 */
export async function isSignedByAccount(
  chain: Chain,
  address: Address,
  signed: { hash: Hex; signature: Hex },
): Promise<boolean> {
  const unwrapped = unwrapSignature(signed.signature)
  if (!unwrapped) return false
  const inner = { hash: signed.hash, signature: unwrapped.signature }
  if (await hasCode(chain, address)) return askAccount(chain, address, inner)
  const { deployment } = unwrapped
  if (!deployment || !ACCOUNT_FACTORIES.includes(deployment.target)) return false
  return askAccount(chain, address, inner, deployment)
}

/**
 * Asks the account whether the signature is its own, where `deployment` is given once that call has deployed it. An
 * address without code says no.
 */
export function askAccount(
  chain: Chain,
  to: Address,
  { hash, signature }: { hash: Hex; signature: Hex },
  deployment?: { target: Address; callData: Hex },
): Promise<boolean> {
  const data = encodeFunctionData({ abi: ABI, args: [hash, signature] })
  // Some accounts take a call from the zero address for a simulation, and check nothing.
  const account = chain.treasury.address
  const deploying = deployment && {
    factory: deployment.target,
    factoryData: deployment.callData,
  }
  return askChain(async () => {
    try {
      const answer = await chain.rpc.call({ account, to, data, gas: ASK_GAS, ...deploying })
      return answer.data?.slice(0, YES.length) === YES
    } catch (error) {
      if (isRefusal(error)) return false
      throw error
    }
  })
}

/** Whether the account, or its deployment, failed: anything else is the node's silence, and no answer. */
const isRefusal = (error: unknown): boolean =>
  revertReason(error) !== undefined ||
  (error instanceof BaseError &&
    error.walk((cause) => cause instanceof CounterfactualDeploymentFailedError) !== null)
