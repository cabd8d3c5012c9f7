import {
  BaseError,
  createPublicClient,
  fallback,
  type Hex,
  keccak256,
  type PublicClient,
  toHex,
} from 'viem'
import { type Address, type Asset, BESIDES_USDC, type Network } from '../../base/kernel/assets.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { deriveKey, Secret } from '../../base/kernel/secrets.ts'
import type { Keyring } from '../../base/signing-keys/keyring.ts'
import { type CreditLevel, SAFE_LEVELS } from './credit-level.ts'
import { rpcTransport } from './nodes/rpc-transport.ts'
import { localSigner } from './signers/local.ts'
import { servingCustody, servingSigner } from './signers/serving.ts'
import type { Signer } from './signers/signer.ts'

/** Signs typed data for custody, never a transaction. The token itself limits each authorization to one use. */
export type CustodySigner = Pick<Signer, 'address' | 'signTypedData'>

/** The chain that this service settles on. */
export type Chain = {
  readonly network: Network
  readonly chainId: number
  /** The assets that cards and links are in, the one that is meant where none is named first. */
  readonly assets: readonly [Asset, ...Asset[]]
  /** The operator's own token, in which balances are kept and memberships are paid too, if there is one. */
  readonly serviceToken?: Asset | undefined
  readonly rpc: PublicClient
  /** Each node alone, in the order in which `rpc` asks them. */
  readonly nodes: readonly PublicClient[]
  /** The address that holds the money of all wallets. */
  readonly treasury: CustodySigner
  /** Keys that hold only gas and broadcast. */
  readonly relayers: readonly Signer[]
  /** BatchSettler on this chain, if one is configured. Its code is compared before it is used. */
  readonly settler?: Address | undefined
  /** How long transfers wait to be credited, by their amount. */
  readonly creditLevels: readonly CreditLevel[]
  /**
   * The custody key of one pay link's own address, derived from the service's secret: from the one that made this address, if it
   * is given.
   */
  depositSigner(ref: string, address?: Address): CustodySigner
}

/** The chain with one asset: the amounts of a rail are in it. */
export type Rail = Chain & { readonly asset: Asset }

export type ChainOptions = {
  asset: Asset
  /** Further assets that cards and links may be in, those of the chain if not given. */
  besides?: readonly Asset[]
  rpcUrls: string[]
  treasury: CustodySigner
  relayers: readonly Signer[]
  secrets: Keyring
  /** The roots of secrets that were replaced: addresses of their links still receive. */
  depositRoots?: readonly Buffer[] | undefined
  settler?: Address | undefined
  serviceToken?: Asset | undefined
  /** Every amount waits for `safe` if this is not given. */
  creditLevels?: readonly CreditLevel[]
}

/** Opens the chain, as the rail of its default asset. Calls nothing until the first read. */
export function openChain(options: ChainOptions): Rail {
  const { asset } = options
  const besides = options.besides ?? BESIDES_USDC[asset.chainId] ?? []
  // A silent node times out in seconds. Then the next node is asked, or the caller gets the error.
  const retryCount = options.rpcUrls.length > 1 ? 0 : 1
  const transports = options.rpcUrls.map((url) =>
    rpcTransport(url, { timeoutMs: 4_000, retryCount }),
  )
  // A contract may name URLs to be fetched (ERC-3668). viem would fetch them past our egress guard.
  const rpc = createPublicClient({
    transport: fallback(transports, { retryCount: 0 }),
    cacheTime: 0,
    pollingInterval: 200,
    ccipRead: false,
  })
  const nodes = transports.map((transport) =>
    createPublicClient({ transport, cacheTime: 0, ccipRead: false }),
  )
  const ownRoots = options.secrets.each(depositRootOf)
  const { depositRoots = [] } = options
  return {
    network: asset.network,
    chainId: asset.chainId,
    asset,
    assets: [asset, ...besides],
    rpc,
    nodes,
    treasury: servingCustody(options.treasury),
    relayers: options.relayers.map(servingSigner),
    settler: options.settler,
    serviceToken: options.serviceToken,
    creditLevels: options.creditLevels ?? SAFE_LEVELS,
    depositSigner: (ref, address) => signerOf([...ownRoots, ...depositRoots], ref, address),
  }
}

/** The key from which the keys of links' addresses are derived. */
export const depositRootOf = (secret: Secret): Buffer => deriveKey(secret, 'deposit addresses')

/** A keccak-256 output is a valid key, except with odds of 2^-128. */
function signerOf(roots: readonly Buffer[], ref: string, address?: Address): CustodySigner {
  for (const root of roots) {
    const signer = localSigner(new Secret(keccak256(Buffer.concat([root, Buffer.from(ref)]))))
    if (address === undefined || signer.address === address) return signer
  }
  throw new Error(`no secret of this service made the address ${address} of ${ref}`)
}

/** Runs a read of the chain. The RPC's own error goes to the log, not to the caller. */
export async function askChain<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Problem) throw error
    // viem's own text quotes whole calldata and the RPC's URL, which may hold a key.
    const cause = error instanceof BaseError ? new Error(`${error.name}: ${error.details}`) : error
    throw new Problem('chain_unavailable', 'The chain did not answer. Try again in a moment.', {
      cause,
    })
  }
}

/** The EIP-3009 nonce of one of our payments, derived from its id, so that the token refuses to pay it twice. */
export const nonceOf = (purpose: string, id: string): Hex => keccak256(toHex(`${purpose}:${id}`))
