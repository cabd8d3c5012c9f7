import { encodeFunctionData, keccak256, parseAbi, stringToBytes } from 'viem'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { askChain, type Chain } from '../chain.ts'

export const vaultAbi = parseAbi([
  'struct Sight { uint256 tokenId; address owner; uint64 step; address tokenOwner; address holder; bool isDeployed; bytes32 attestation; bool isAttested; bytes32 uriHash; }',
  'constructor(address custodian, address registry, address accounts, address implementation, address eas)',
  'function custodian() view returns (address)',
  'function registry() view returns (address)',
  'function accounts() view returns (address)',
  'function implementation() view returns (address)',
  'function eas() view returns (address)',
  'function schema() view returns (bytes32)',
  'function mint(string cardId, string uri, address owner, bytes signature)',
  'function assign(string cardId, address owner, uint64 step, bytes signature)',
  'function release(string cardId, address owner, uint64 step, bytes signature)',
  'function setAgentURI(string cardId, string uri, uint64 step, bytes signature)',
  'function look(bytes32[] refs) view returns (Sight[] sights)',
  'error WrongSignature()',
  'error AlreadyMinted()',
  'error NotMinted()',
  'error WrongStep()',
  'error NoOwner()',
  'error OwnedByItself()',
  'error NotOurs()',
])

const TYPES = {
  Mint: [
    { name: 'cardId', type: 'string' },
    { name: 'uri', type: 'string' },
    { name: 'owner', type: 'address' },
  ],
  Assign: [
    { name: 'cardId', type: 'string' },
    { name: 'owner', type: 'address' },
    { name: 'step', type: 'uint64' },
  ],
  Release: [
    { name: 'cardId', type: 'string' },
    { name: 'owner', type: 'address' },
    { name: 'step', type: 'uint64' },
  ],
  SetAgentURI: [
    { name: 'cardId', type: 'string' },
    { name: 'uri', type: 'string' },
    { name: 'step', type: 'uint64' },
  ],
} as const

/**
 * One act of the vault. `mint` registers the card's token; `assign` makes `owner` the owner of record and attests anew, zero
 * for nobody; `release` sends the token to its owner of record; `setAgentURI` changes the address of its registration file.
 * `step` follows the card's step on the chain.
 */
export type VaultAct =
  | { kind: 'mint'; cardId: string; uri: string; owner: Address }
  | { kind: 'assign' | 'release'; cardId: string; owner: Address; step: bigint }
  | { kind: 'setAgentURI'; cardId: string; uri: string; step: bigint }

/** A call that anyone may relay, with the gas that it takes at most. */
export type VaultCall = { to: Address; data: Hex; gas: bigint }

/** Above what was measured (574,000, 390,000, 92,000 and 76,000), for longer addresses and wallets that are contracts. */
const GAS = {
  mint: 1_000_000n,
  assign: 700_000n,
  release: 300_000n,
  setAgentURI: 300_000n,
} as const
const PRIMARY_TYPES = {
  mint: 'Mint',
  assign: 'Assign',
  release: 'Release',
  setAgentURI: 'SetAgentURI',
} as const

/** Signs the act with the custody key. The vault takes each act once, whatever is relayed and how often. */
export async function signAct(
  chain: Pick<Chain, 'chainId' | 'treasury'>,
  vault: Address,
  act: VaultAct,
): Promise<VaultCall> {
  const primaryType = PRIMARY_TYPES[act.kind]
  const { kind, ...message } = act
  const signature = await chain.treasury.signTypedData({
    domain: {
      name: 'CredentialVault',
      version: '1',
      chainId: chain.chainId,
      verifyingContract: vault,
    },
    types: { [primaryType]: TYPES[primaryType] },
    primaryType,
    message,
  })
  return { to: vault, data: callOf(act, signature), gas: GAS[kind] }
}

function callOf(act: VaultAct, signature: Hex): Hex {
  if (act.kind === 'mint')
    return encodeFunctionData({
      abi: vaultAbi,
      functionName: 'mint',
      args: [act.cardId, act.uri, act.owner, signature],
    })
  if (act.kind === 'setAgentURI')
    return encodeFunctionData({
      abi: vaultAbi,
      functionName: 'setAgentURI',
      args: [act.cardId, act.uri, act.step, signature],
    })
  return encodeFunctionData({
    abi: vaultAbi,
    functionName: act.kind,
    args: [act.cardId, act.owner, act.step, signature],
  })
}

/** The vault's name of a card. */
export const vaultRefOf = (cardId: string): Hex => keccak256(stringToBytes(cardId))

/** The vault's name of a token's URI. */
export const uriHashOf = (uri: string): Hex => keccak256(stringToBytes(uri))

/** All that the chain shows of a card's identity, in one block. */
export type Sight = {
  tokenId: bigint
  /** The owner of record; zero for nobody. */
  owner: Address
  /** Acts on the card so far. */
  step: bigint
  /** The token's owner in the registry: the vault while it is kept; zero if it was burned. */
  tokenOwner: Address
  /** The token's ERC-6551 account, and whether it has code. */
  holder: Address
  isDeployed: boolean
  attestation: Hex
  isAttested: boolean
  /** As `uriHashOf`; zero while the vault does not hold the token, or if its URI is too long to be ours. */
  uriHash: Hex
}

/** Cards whose sights fit one question to a node. */
const SIGHTS_AT_ONCE = 100

/** The cards' identities at one block, undefined for a card without a token. */
export async function lookAt(
  chain: Chain,
  vault: Address,
  { cardIds, blockTag }: { cardIds: readonly string[]; blockTag: 'latest' | 'safe' },
): Promise<(Sight | undefined)[]> {
  const chunks = Array.from({ length: Math.ceil(cardIds.length / SIGHTS_AT_ONCE) }, (_, i) =>
    cardIds.slice(i * SIGHTS_AT_ONCE, (i + 1) * SIGHTS_AT_ONCE),
  )
  const found = await Promise.all(
    chunks.map((ids) =>
      askChain(() =>
        chain.rpc.readContract({
          abi: vaultAbi,
          address: vault,
          functionName: 'look',
          args: [ids.map(vaultRefOf)],
          blockTag,
        }),
      ),
    ),
  )
  return found.flat().map((sight) => (sight.step === 0n ? undefined : sight))
}
