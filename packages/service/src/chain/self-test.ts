import { domainSeparator, type Hex, parseAbi } from 'viem'
import type { Asset } from '../kernel/assets.ts'
import type { Chain } from './chain.ts'

/** One thing that must be so before money goes over this chain. `sentence` says what is, and what to do if it is wrong. */
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
/** Gas for some thousands of transfers on Base; below it a relayer should be topped up. */
const LOW_GAS_WEI = 10n ** 15n

const ok = (check: string, sentence: string): ChainCheck => ({ check, status: 'ok', sentence })
const fail = (check: string, sentence: string): ChainCheck => ({ check, status: 'fail', sentence })

/** Asks the chain for everything that the service takes for granted about it. Never throws. */
export async function testChain(chain: Chain): Promise<ChainCheck[]> {
  const groups = await Promise.all([
    attempt('chain_id', () => testChainId(chain)),
    attempt('usdc', () => testToken(chain)),
    attempt('safe_block', () => testSafeBlock(chain)),
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

/** The EIP-712 domain separator of the token, from our own constants. */
export const separatorOf = (asset: Asset): Hex =>
  domainSeparator({
    domain: {
      ...asset.eip712,
      chainId: asset.chainId,
      verifyingContract: asset.contract,
    },
  })

async function testToken(chain: Chain): Promise<ChainCheck[]> {
  const { asset, rpc, treasury } = chain
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

async function testSafeBlock({ rpc }: Chain): Promise<ChainCheck[]> {
  const block = await rpc.getBlock({ blockTag: 'safe' })
  return [ok('safe_block', `Block ${block.number} is safe; deposits up to it are credited.`)]
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
      ? {
          check: 'relayer_gas',
          status: 'warn',
          sentence: `The relayer ${address} has little gas left (${wei} wei): top it up.`,
        }
      : ok('relayer_gas', `The relayer ${address} has gas.`)
  })
}
