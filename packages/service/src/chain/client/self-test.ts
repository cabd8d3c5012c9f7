import { erc20Abi, parseAbi } from 'viem'
import settlerBuild from '../../../../../contracts/build/BatchSettler.json' with { type: 'json' }
import marketBuild from '../../../../../contracts/build/CredentialMarket.json' with { type: 'json' }
import type { Address } from '../../base/kernel/assets.ts'
import type { Chain, Rail } from './chain.ts'
import { findIdentityFaults, type IdentityContracts } from './identity/self-test.ts'
import { findV4 } from './markets/contracts.ts'
import { MULTICALL3 } from './multicall.ts'
import { isRefusal } from './nodes/refusal.ts'
import { findCodeFault } from './public/builds.ts'
import { isTokenRail, railsOf } from './rails.ts'
import { readPayoutWay, separatorOf } from './tokens/payout-way.ts'
import { readPermit2Presence } from './tokens/permit2.ts'
import { tryToken } from './tokens/trial.ts'

/**
 * A condition that must hold before money moves over this chain. `sentence` says what was found and, if that is wrong,
 * what to do.
 */
export type ChainCheck = {
  check: string
  status: 'ok' | 'warn' | 'fail'
  sentence: string
}

const TOKEN_ABI = parseAbi([
  'function decimals() view returns (uint8)',
  'function version() view returns (string)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function paused() view returns (bool)',
  'function isBlacklisted(address account) view returns (bool)',
])
const MARKET_ABI = parseAbi(['function usdc() view returns (address)'])
/** Gas for a few thousand transfers on Base. A relayer with less should be topped up. */
const LOW_GAS_WEI = 10n ** 15n
const NODE_LAG_BLOCKS = 100n

const ok = (check: string, sentence: string): ChainCheck => ({ check, status: 'ok', sentence })
const warn = (check: string, sentence: string): ChainCheck => ({ check, status: 'warn', sentence })
const fail = (check: string, sentence: string): ChainCheck => ({ check, status: 'fail', sentence })

/** Contracts that may be configured. */
type Configured = {
  settler?: Address | undefined
  identity?: IdentityContracts | null
  market?: Address | undefined
}

/** Checks everything that the service assumes about the chain and the configured contracts. Never throws. */
export async function testChain(
  chain: Chain,
  { settler, identity, market }: Configured = {},
): Promise<ChainCheck[]> {
  const groups = await Promise.all([
    attempt('chain_id', () => testChainId(chain)),
    attempt('usdc', () => testToken(chain)),
    attempt('contracts', () => testContracts(chain, settler)),
    attempt('identity', () => testIdentity(chain, identity ?? null)),
    attempt('credential_market', () => testMarket(chain, market)),
    attempt('safe_block', () => testTag(chain, 'safe')),
    attempt('finalized_block', () => testTag(chain, 'finalized')),
    attempt('nodes', () => testNodes(chain)),
    attempt('keys', async () => [testKeys(chain)]),
    attempt('relayer_gas', () => testGas(chain)),
  ])
  return groups.flat()
}

async function attempt(check: string, test: () => Promise<ChainCheck[]>): Promise<ChainCheck[]> {
  try {
    return await test()
  } catch (error) {
    const reason = (error as { shortMessage?: string }).shortMessage ?? String(error)
    return [fail(check, `The chain did not answer: ${reason} Check PURSER_RPC_URL.`)]
  }
}

async function testChainId({ rpc, chainId, network }: Chain): Promise<ChainCheck[]> {
  const answered = await rpc.getChainId()
  return [
    answered === chainId
      ? ok('chain_id', `The RPC answers as ${network}.`)
      : fail(
          'chain_id',
          `The RPC answers as eip155:${answered}, not ${network}: change PURSER_RPC_URL or PURSER_NETWORK.`,
        ),
  ]
}

async function testToken({ rpc, treasury, assets: [asset] }: Chain): Promise<ChainCheck[]> {
  const address = asset.contract
  const code = await rpc.getCode({ address })
  if (!code || code === '0x')
    return [
      fail(
        'usdc_code',
        `There is no contract at ${address}, where ${asset.symbol} should be: is this the right chain?`,
      ),
    ]
  const read = { abi: TOKEN_ABI, address } as const
  const [decimals, version, separator, isPaused, isBlacklisted] = await Promise.all([
    rpc.readContract({ ...read, functionName: 'decimals' }),
    rpc.readContract({ ...read, functionName: 'version' }),
    rpc.readContract({ ...read, functionName: 'DOMAIN_SEPARATOR' }),
    rpc.readContract({ ...read, functionName: 'paused' }),
    rpc.readContract({ ...read, functionName: 'isBlacklisted', args: [treasury.address] }),
  ])
  const token = `The contract at ${address}`
  return [
    ok('usdc_code', `${token} is there.`),
    decimals === asset.decimals
      ? ok('usdc_decimals', `${token} has ${decimals} decimals.`)
      : fail(
          'usdc_decimals',
          `${token} has ${decimals} decimals, not ${asset.decimals}: it is not ${asset.symbol}.`,
        ),
    version === asset.eip712.version
      ? ok('usdc_version', `${token} has version ${version}.`)
      : fail(
          'usdc_version',
          `${token} has version ${version}, not ${asset.eip712.version}: signatures would be refused.`,
        ),
    separator === separatorOf(asset)
      ? ok('usdc_domain', `${token} signs under the domain that we compute.`)
      : fail(
          'usdc_domain',
          `${token} signs under another EIP-712 domain than we compute: signatures would be refused.`,
        ),
    isPaused
      ? fail('usdc_paused', `${asset.symbol} is paused by its issuer: wait until it is not.`)
      : ok('usdc_paused', `${asset.symbol} is not paused.`),
    isBlacklisted
      ? fail(
          'treasury_blacklisted',
          `The treasury ${treasury.address} is blacklisted by ${asset.symbol}: ask its issuer.`,
        )
      : ok('treasury_blacklisted', `The treasury ${treasury.address} is not blacklisted.`),
  ]
}

/** Checks every contract that the service calls besides the token. */
async function testContracts(chain: Chain, settler: Address | undefined): Promise<ChainCheck[]> {
  return Promise.all([
    testMulticall(chain),
    ...(settler ? [testSettler(chain, settler)] : []),
    testPermit2(chain),
    testV4(chain),
    ...railsOf(chain).filter(isTokenRail).map(testServiceToken),
  ])
}

async function testMulticall({ rpc }: Chain): Promise<ChainCheck> {
  const [check, address] = ['multicall3', MULTICALL3]
  const code = await rpc.getCode({ address })
  return code && code !== '0x'
    ? ok(check, `Multicall3 is at ${address}.`)
    : fail(check, `There is no contract at ${address}, where Multicall3 should be.`)
}

async function testSettler(chain: Chain, address: Address): Promise<ChainCheck> {
  const expected = { build: settlerBuild, setting: 'PURSER_BATCH_SETTLER' }
  const fault = await findCodeFault(chain, address, expected)
  return fault === undefined
    ? ok('batch_settler', `BatchSettler is at ${address}.`)
    : fail('batch_settler', `${fault} Until then each payment has a transaction of its own.`)
}

/** Its decimals decide what a price means, so they must be the contract's own. */
async function testServiceToken(rail: Rail): Promise<ChainCheck> {
  const check = 'service_token'
  const { rpc, asset } = rail
  const { contract: address, symbol, decimals } = asset
  try {
    const [shownSymbol, shownDecimals] = await Promise.all([
      rpc.readContract({ abi: erc20Abi, address, functionName: 'symbol' }),
      rpc.readContract({ abi: erc20Abi, address, functionName: 'decimals' }),
    ])
    if (shownSymbol === symbol && shownDecimals === decimals) return testUse(rail)
    return fail(
      check,
      `The token at ${address} is ${shownSymbol} with ${shownDecimals} decimals: correct PURSER_SERVICE_TOKEN.`,
    )
  } catch (error) {
    if (!isRefusal(error)) throw error
    return fail(check, `There is no token at ${address}: correct PURSER_SERVICE_TOKEN.`)
  }
}

/** Identity tokens stop where their contracts are not as expected. Payments need none of them. */
async function testIdentity(
  chain: Chain,
  identity: IdentityContracts | null,
): Promise<ChainCheck[]> {
  if (identity === null) return []
  try {
    const faults = await findIdentityFaults(chain, identity)
    return faults.length === 0
      ? [ok('identity', `Identity tokens are kept by the vault at ${identity.vault}.`)]
      : faults.map((fault) => fail('identity', fault))
  } catch (error) {
    if (!isRefusal(error)) throw error
    return [
      fail(
        'identity',
        `A contract that the vault at ${identity.vault} names answers as another one would: correct PURSER_CREDENTIAL_VAULT.`,
      ),
    ]
  }
}

/** A market of another token would take no payment that buyers sign. */
async function testMarket(chain: Chain, market: Address | undefined): Promise<ChainCheck[]> {
  if (market === undefined) return []
  const {
    rpc,
    assets: [asset],
  } = chain
  const check = 'credential_market'
  const setting = 'PURSER_CREDENTIAL_MARKET'
  const fault = await findCodeFault(chain, market, { build: marketBuild, setting })
  if (fault !== undefined) return [fail(check, fault)]
  const usdc = await rpc.readContract({ abi: MARKET_ABI, address: market, functionName: 'usdc' })
  if (usdc === asset.contract) return [ok(check, `Cards are sold on chain by ${market}.`)]
  return [
    fail(
      check,
      `The market at ${market} sells for ${usdc}, not ${asset.symbol}: correct ${setting}.`,
    ),
  ]
}

/** Whether it moves what it is asked to, and can be paid out again. */
async function testUse(rail: Rail): Promise<ChainCheck> {
  const check = 'service_token'
  const { contract, symbol, decimals } = rail.asset
  const trial = await tryToken(rail, contract, decimals)
  if (trial?.outcome === 'changed')
    return fail(
      check,
      `A simulated transfer of ${symbol} brought another amount than was sent: balances of it would not hold. Use another token.`,
    )
  const token = `The service token ${symbol} is at ${contract}`
  const way = await readPayoutWay(rail)
  if (way.kind === 'none')
    return warn(
      check,
      `${token}, and cannot be withdrawn: ${way.why}. What is deposited can only pay memberships.`,
    )
  return ok(
    check,
    `${token}, and is withdrawn by ${way.kind === 'eip3009' ? 'EIP-3009' : 'Permit2'}.`,
  )
}

/** Its parts must name one PoolManager, and that must be the published one: then tokens of cards can be sold here. */
async function testV4(chain: Chain): Promise<ChainCheck> {
  const found = await findV4(chain)
  return found
    ? ok('uniswap_v4', `Uniswap v4 is there, with its PoolManager at ${found.poolManager}.`)
    : warn('uniswap_v4', 'Uniswap v4 is not on this chain: tokens of cards have no markets here.')
}

async function testPermit2(chain: Chain): Promise<ChainCheck> {
  return (await readPermit2Presence(chain))
    ? ok('permit2', "Permit2 and x402's proxy for it are there.")
    : warn(
        'permit2',
        "Permit2 or x402's proxy for it is not on this chain: the facilitator settles in USDC alone.",
      )
}

async function testTag({ rpc }: Chain, tag: 'safe' | 'finalized'): Promise<ChainCheck[]> {
  const check = `${tag}_block`
  try {
    const { number } = await rpc.getBlock({ blockTag: tag })
    const use = tag === 'safe' ? 'deposits up to it are credited' : 'so are large sums up to it'
    return [ok(check, `Block ${number} is ${tag}; ${use}.`)]
  } catch (error) {
    if (!isRefusal(error)) throw error
    return [fail(check, `The RPC knows no ${tag} block: change PURSER_RPC_URL to one that does.`)]
  }
}

/** Two nodes on different chains, or one that lags, would let money be counted twice or late. */
async function testNodes({ nodes }: Chain): Promise<ChainCheck[]> {
  if (nodes.length < 2) return []
  const found = await Promise.all(
    nodes.map((node) => node.getBlock({ blockTag: 'safe' }).catch(() => undefined)),
  )
  const alive = found.flatMap((block, i) =>
    block ? [{ node: nodes[i], number: block.number }] : [],
  )
  const silent = found.flatMap((block, i) => (block ? [] : [`number ${i + 1}`]))
  if (silent.length > 0)
    return [warn('nodes', `Of ${nodes.length} RPCs, ${silent.join(', ')} did not answer.`)]
  const lowest = alive.reduce(
    (least, { number }) => (number < least ? number : least),
    alive[0]?.number ?? 0n,
  )
  const highest = alive.reduce((most, { number }) => (number > most ? number : most), 0n)
  const hashes = await Promise.all(
    alive.map(async ({ node }) => (await node?.getBlock({ blockNumber: lowest }))?.hash),
  )
  if (new Set(hashes).size > 1)
    return [
      fail(
        'nodes',
        `The RPCs do not agree on the safe block ${lowest}: one of them is on another chain.`,
      ),
    ]
  if (highest - lowest > NODE_LAG_BLOCKS)
    return [
      warn(
        'nodes',
        `One RPC is ${highest - lowest} blocks behind another: what it answers comes late.`,
      ),
    ]
  return [ok('nodes', `${nodes.length} RPCs agree on the safe block ${lowest}.`)]
}

/** The treasury signs and the relayers send. A key that did both would risk custody to keep gas. */
function testKeys({ treasury, relayers }: Chain): ChainCheck {
  const addresses = [treasury, ...relayers].map(({ address }) => address.toLowerCase())
  return new Set(addresses).size === addresses.length
    ? ok('keys', 'The treasury and each relayer have keys of their own.')
    : fail('keys', 'A key does two jobs: give the treasury and each relayer one of their own.')
}

async function testGas({ relayers, rpc }: Chain): Promise<ChainCheck[]> {
  const balances = await Promise.all(relayers.map(({ address }) => rpc.getBalance({ address })))
  return relayers.map(({ address }, i) => {
    const wei = balances[i] ?? 0n
    if (wei === 0n)
      return fail(
        'relayer_gas',
        `The relayer ${address} has no gas: send it some of the chain's coin.`,
      )
    return wei < LOW_GAS_WEI
      ? warn('relayer_gas', `The relayer ${address} has little gas left (${wei} wei): top it up.`)
      : ok('relayer_gas', `The relayer ${address} has gas.`)
  })
}
