import type { Uses } from '../../../api/http/services.ts'
import type { Tx } from '../../../base/db/sql.ts'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { type Amount, amount, least, toNumber } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { defaultAsset, defaultRail } from '../../../chain/client/rails.ts'
import {
  type Allowance,
  awaitApproval,
  readAllowance,
} from '../../../chain/relay/pull/allowance.ts'
import { enrolmentOf } from '../enrolment.ts'
import { readState, saveState } from '../state/state.ts'
import { type Enrolled, planFor, presentEnrolment, stateFor, type Wish } from './auto-renew.ts'
import { enrol } from './enrol.ts'

/** An allowance as the chain gave it: enough for one period when it was asked. */
export type Permission = Allowance & { operator: Address }

/**
 * Reads the wallet's allowance for the contract that pulls. Where it is too low it waits for the approval of `approveTx`, and
 * reads again: the transaction itself proves nothing. Undefined if the wallet is enrolled already, so that none is needed.
 */
export async function readPermission(
  services: Uses<'chain' | 'db'>,
  at: Date,
  { wish, approveTx }: { wish: Wish; approveTx: Hex | undefined },
): Promise<Permission | undefined> {
  const { chain, db } = services
  const wallet = wish.walletAddress
  const state = await readState(db.reader, wallet)
  if (state.agreement && enrolmentOf(state.agreement).mode !== 'soft') return undefined
  const { plan } = await planFor(db.reader, at, { state, wish, asset: defaultAsset(chain) })
  let found = await readAllowance(chain, wallet)
  if (found.allowance < plan.price && approveTx !== undefined && found.operator !== null) {
    await awaitApproval(defaultRail(chain), { wallet, approveTx })
    found = await readAllowance(chain, wallet)
  }
  return checkCovers(services, found, plan.price)
}

/** Enrols by the allowance. The price may have changed since it was read. */
export async function enrolByAllowance(
  tx: Tx,
  at: Date,
  given: { services: Uses<'chain'>; wish: Wish; permission: Permission | undefined },
): Promise<Enrolled> {
  const { services, wish, permission } = given
  const asset = defaultAsset(services.chain)
  const state = await stateFor(tx, at, wish)
  const known = await presentEnrolment(tx, state)
  if (known) return known
  const { plan } = await planFor(tx, at, { state, wish, asset })
  wish.checkAmount(plan.price, asset)
  const { operator } = checkCovers(services, permission, plan.price)
  const terms = { ...plan, asset, mode: 'wallet' as const, operator, periods: 0 }
  const { state: after, agreement } = await enrol(tx, at, { state, house: wish.house, terms })
  await saveState(tx, after)
  return { kind: 'wallet', isNew: true, agreement }
}

const REPORTED_UNITS = 1_000_000_000n

/** The allowance in whole units, for the wire. Unlimited ones are shown as 1e9. */
export const reportedAllowance = (
  { chain }: Uses<'chain'>,
  { allowance }: Pick<Allowance, 'allowance'>,
): number => {
  const { decimals } = defaultAsset(chain)
  const most = amount(REPORTED_UNITS * 10n ** BigInt(decimals))
  return toNumber(least(allowance, most), decimals)
}

function checkCovers(
  services: Uses<'chain'>,
  found: Allowance | undefined,
  price: Amount,
): Permission {
  if (!found)
    throw new Problem(
      'invalid_state',
      'Your enrolment changed while it was read. Send the request again.',
    )
  const { operator, allowance } = found
  if (operator === null)
    throw new Problem(
      'invalid_state',
      'This service has no contract that could take money out of a wallet. Leave mode out to renew from your balance.',
    )
  if (allowance >= price) return { allowance, operator }
  const { decimals, symbol } = defaultAsset(services.chain)
  const required = toNumber(price, decimals)
  throw new Problem(
    'approval_required',
    `Approve ${operator} to spend at least ${required} ${symbol} of your wallet on chain, then ask again.`,
    { extra: { required, allowance: reportedAllowance(services, found), operator } },
  )
}
