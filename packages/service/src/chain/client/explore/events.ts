import { decodeEventLog, type Hex, parseAbi } from 'viem'

/** Events of the contracts that the service uses, its own among them. */
const EVENTS = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Mint(address indexed minter, address indexed to, uint256 amount)',
  'event Burn(address indexed burner, uint256 amount)',
  'event Memo(address indexed caller, bytes32 indexed memo)',
  'event SettleFailed(uint256 indexed index, address indexed authorizer, bytes32 indexed nonce, bytes reason)',
  'event Pulled(bytes32 indexed ref, address indexed from, address indexed to, address token, uint256 value)',
  'event PullFailed(uint256 indexed index, address indexed from, bytes32 indexed ref, bytes reason)',
  'event Stopped(uint256 index)',
  'event MetadataUpdate(uint256 tokenId)',
  'event Minted(bytes32 indexed ref, uint256 indexed tokenId, address indexed owner, string cardId)',
  'event Assigned(bytes32 indexed ref, uint256 indexed tokenId, address indexed owner, uint64 step)',
  'event Released(bytes32 indexed ref, uint256 indexed tokenId, address indexed owner, uint64 step)',
  'event AgentURISet(bytes32 indexed ref, uint256 indexed tokenId, string uri, uint64 step)',
  'event Sold(bytes32 indexed listingHash, address indexed registry, uint256 indexed tokenId, address seller, address buyer, uint256 price, uint256 fee)',
  'event Cancelled(bytes32 indexed listingHash)',
  'event Registered(uint256 indexed agentId, string agentURI, address indexed owner)',
  'event MetadataSet(uint256 indexed agentId, string indexed indexedMetadataKey, string metadataKey, bytes metadataValue)',
  'event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy)',
  'event ERC6551AccountCreated(address account, address indexed implementation, bytes32 salt, uint256 chainId, address indexed tokenContract, uint256 indexed tokenId)',
  'event Attested(address indexed recipient, address indexed attester, bytes32 uid, bytes32 indexed schemaUID)',
  'event Revoked(address indexed recipient, address indexed attester, bytes32 uid, bytes32 indexed schemaUID)',
  'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
  'event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt)',
  'event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)',
  'struct Timestamps { uint40 start; uint40 end; }',
  'struct Common { address funder; address sender; address recipient; uint128 depositAmount; address token; bool cancelable; bool transferable; Timestamps timestamps; string shape; }',
  'struct Unlock { uint128 start; uint128 cliff; }',
  'event CreateLockupLinearStream(uint256 indexed streamId, Common commonParams, uint40 cliffTime, uint40 granularity, Unlock unlockAmounts)',
  'event WithdrawFromLockupStream(uint256 indexed streamId, address indexed to, address indexed token, uint128 amount)',
])
/** The same topics as ERC-20's, with the third argument among the topics. */
const NFT_EVENTS = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)',
])

export type Decoded = { name: string; args: readonly (readonly [name: string, value: unknown])[] }

/** The event in words; undefined if it is none that we know. A contract may log anything under any name. */
export function decodeEvent(log: { topics: readonly Hex[]; data: Hex }): Decoded | undefined {
  for (const abi of [EVENTS, NFT_EVENTS]) {
    const decoded = tryDecode(abi, log)
    if (decoded) return decoded
  }
  return undefined
}

function tryDecode(
  abi: typeof EVENTS | typeof NFT_EVENTS,
  { topics, data }: { topics: readonly Hex[]; data: Hex },
): Decoded | undefined {
  try {
    const { eventName, args } = decodeEventLog({
      abi,
      data,
      topics: topics as [Hex, ...Hex[]],
      strict: true,
    })
    return { name: eventName, args: Object.entries(args ?? {}) }
  } catch {
    // The codec throws for every log that is not one of ours.
    return undefined
  }
}
