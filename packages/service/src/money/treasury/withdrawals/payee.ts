import type { Reader } from '../../../base/db/sql.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import type { Chain, Rail } from '../../../chain/client/chain.ts'
import { assetsOf } from '../../../chain/client/rails.ts'
import { personAddress } from '../../../chain/client/reads.ts'
import { issuerPolicyOf } from '../../../chain/client/tokens/issuer-policy.ts'

const PARAM = 'to_address'

const refuse = (why: string, param = PARAM): Problem =>
  new Problem('invalid_address', why, { param })

/** Whether this service receives payments for somebody at the address. Rooms above know. */
export type IsReceiving = (on: Reader, address: Address) => Promise<boolean>

/**
 * The address to pay, checksummed. Refuses an address that would lose the money or send it in a circle: the token, any
 * address of this service, and those that `personAddress` refuses.
 */
export async function readPayee(
  on: Reader,
  chain: Chain,
  { text, isReceiving, param = PARAM }: { text: string; isReceiving: IsReceiving; param?: string },
): Promise<Address> {
  const address = personAddress(text, param)
  const token = assetsOf(chain).find(({ contract }) => contract === address)
  if (token)
    throw refuse(`${address} is the ${token.symbol} token itself. Name an address of yours.`, param)
  const ours = [chain.treasury.address, ...chain.relayers.map((relayer) => relayer.address)]
  if (ours.includes(address) || (await isReceiving(on, address)))
    throw refuse(`${address} belongs to this service. Name an address of yours.`, param)
  return address
}

/**
 * Refuses a payout that the token's issuer blocks now, as far as the token says. A block for everybody is temporary, so that
 * refusal is not stored for a retry.
 */
export async function checkTokenPolicy(rail: Rail, to: Address): Promise<void> {
  const { symbol } = rail.asset
  const policy = issuerPolicyOf(rail)
  const [isPaused, isOursStopped, isPayeeStopped] = await Promise.all([
    policy.isPaused(),
    policy.isBlacklisted(rail.treasury.address),
    policy.isBlacklisted(to),
  ])
  if (isPayeeStopped)
    throw refuse(`The issuer of ${symbol} has blacklisted ${to}. Name another address.`)
  if (isPaused || isOursStopped)
    throw new Problem(
      'upstream_failed',
      `The issuer of ${symbol} has stopped ${isPaused ? 'all transfers' : 'the transfers of this service'} for now. Nothing was moved; try again later.`,
    )
}
