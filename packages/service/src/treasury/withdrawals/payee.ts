import { askChain, type Chain } from '../../chain/chain.ts'
import { personAddress } from '../../chain/reads.ts'
import type { Reader } from '../../db/sql.ts'
import type { Address } from '../../kernel/assets.ts'
import { Problem } from '../../kernel/problem.ts'

const PARAM = 'to_address'

const refuse = (why: string): Problem => new Problem('invalid_address', why, { param: PARAM })

/** Whether this service receives payments for somebody at the address. Rooms above know. */
export type IsReceiving = (on: Reader, address: Address) => Promise<boolean>

/**
 * The address to pay, checksummed. Refuses an address that would lose the money or send it in a circle: the token, any
 * address of this service, and those that `personAddress` refuses.
 */
export async function readPayee(
  on: Reader,
  chain: Chain,
  { text, isReceiving }: { text: string; isReceiving: IsReceiving },
): Promise<Address> {
  const address = personAddress(text, PARAM)
  if (address === chain.asset.contract)
    throw refuse(`${address} is the ${chain.asset.symbol} token itself. Name an address of yours.`)
  const ours = [chain.treasury.address, ...chain.relayers.map((relayer) => relayer.address)]
  if (ours.includes(address) || (await isReceiving(on, address)))
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

/**
 * Refuses a payout that the token's issuer blocks now. A block for everybody is temporary, so that refusal is not
 * stored for a retry.
 */
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
