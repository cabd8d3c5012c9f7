import { askChain, type Chain } from '../chain/chain.ts'
import { normalAddress } from '../chain/reads.ts'
import type { Reader } from '../db/sql.ts'
import type { Address } from '../kernel/assets.ts'
import { Problem } from '../kernel/problem.ts'
import { isDepositAddress } from './store.ts'

const PARAM = 'to_address'
const ZERO_ADDRESS: Address = '0x0000000000000000000000000000000000000000'

const refuse = (why: string): Problem => new Problem('invalid_address', why, { param: PARAM })

/**
 * The address to pay, checksummed. Refuses what would lose the money or send it in a circle: the zero address, the
 * token, any address of ours, and a mixed-case address whose EIP-55 checksum is wrong, which is a slip of the pen.
 */
export async function readPayee(on: Reader, chain: Chain, text: string): Promise<Address> {
  const address = normalAddress(text, PARAM)
  const digits = text.slice(2)
  const hasChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (hasChecksum && text !== address)
    throw refuse('The checksum of to_address is wrong. Copy it again, or write it in lower case.')
  if (address === ZERO_ADDRESS) throw refuse('Nobody holds the zero address. Name another.')
  if (address === chain.asset.contract)
    throw refuse(`${address} is the ${chain.asset.symbol} token itself. Name an address of yours.`)
  const ours = [chain.treasury.address, ...chain.relayers.map((relayer) => relayer.address)]
  if (ours.includes(address) || (await isDepositAddress(on, address)))
    throw refuse(`${address} belongs to this service. Name an address of yours.`)
  return address
}

const POLICY_ABI = [
  {
    type: 'function',
    name: 'paused',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ name: 'paused', type: 'bool' }],
  },
  {
    type: 'function',
    name: 'isBlacklisted',
    stateMutability: 'view',
    inputs: [{ name: 'account', type: 'address' }],
    outputs: [{ name: 'blacklisted', type: 'bool' }],
  },
] as const

/** Refuses a payout that the token's issuer stops now. What it stops for everybody is no answer to keep for a retry. */
export async function checkTokenPolicy(chain: Chain, to: Address): Promise<void> {
  const { contract, symbol } = chain.asset
  const isBlacklisted = (account: Address) =>
    chain.rpc.readContract({
      address: contract,
      abi: POLICY_ABI,
      functionName: 'isBlacklisted',
      args: [account],
    })
  const [isPaused, isOursStopped, isPayeeStopped] = await askChain(() =>
    Promise.all([
      chain.rpc.readContract({ address: contract, abi: POLICY_ABI, functionName: 'paused' }),
      isBlacklisted(chain.treasury.address),
      isBlacklisted(to),
    ]),
  )
  if (isPayeeStopped)
    throw refuse(`The issuer of ${symbol} has blacklisted ${to}. Name another address.`)
  if (isPaused || isOursStopped)
    throw new Problem(
      'upstream_failed',
      `The issuer of ${symbol} has stopped ${isPaused ? 'all transfers' : 'the transfers of this service'} for now. Nothing was moved; try again later.`,
    )
}
