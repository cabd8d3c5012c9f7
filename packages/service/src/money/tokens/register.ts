import type { BuiltEvent } from '../../api/events/define.ts'
import { record } from '../../api/events/record.ts'
import { tokenRegistered, tokenRemoved } from '../../api/events/types/access.ts'
import type { Uses } from '../../api/http/services.ts'
import type { Tx } from '../../base/db/sql.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { newId } from '../../base/kernel/ids.ts'
import { notFound, Problem } from '../../base/kernel/problem.ts'
import { type Assets, assetAt, assetsOf } from '../../chain/client/rails.ts'
import { readTokenFacts, type TokenFacts } from '../../chain/client/tokens/facts.ts'
import { type TokenTrial, tryToken } from '../../chain/client/tokens/trial.ts'
import { readsAs } from './names/glance.ts'
import { SAFETY_ASKS, safetyOf } from './safety.ts'
import { type RegisteredToken, removeToken, saveToken } from './store.ts'
import { plainText } from './text.ts'

const SYMBOL_MAX = 32
const NAME_MAX = 100
/** Amounts with more decimals could not be shown. No real token has more. */
const DECIMALS_MAX = 36

/**
 * Reads a token from the chain and simulates a transfer of it, before a registration. Throws `invalid_asset` for the
 * asset of this service, `token_unreadable`, `token_not_transferable`, `token_takes_fee` and `chain_unavailable`.
 */
export async function inspectToken(
  { chain }: Uses<'chain'>,
  at: Date,
  of: { walletAddress: Address; address: Address },
): Promise<Omit<RegisteredToken, 'status'>> {
  const asset = assetAt(chain, of.address)
  if (asset)
    throw new Problem(
      'invalid_asset',
      `${asset.symbol} is the asset of this service: every payment takes it as it is, and it has EIP-3009. Register other tokens.`,
      { param: 'address' },
    )
  const facts = readable(await readTokenFacts(chain, of.address, SAFETY_ASKS))
  checkOwnName(chain, of.address, facts)
  const trial = checkTrial(await tryToken(chain, of.address, facts.decimals))
  return {
    ...of,
    id: newId('tkn', at),
    network: chain.network,
    symbol: facts.symbol,
    name: facts.name,
    decimals: facts.decimals,
    type: facts.isB20 ? 'B20' : 'ERC20',
    safety: safetyOf(facts, trial),
    createdAt: at,
    checkedAt: at,
  }
}

/** Refuses a token that calls itself as an asset of this service is called: a payer would take it for that. */
function checkOwnName(
  chain: Assets,
  address: Address,
  { symbol, name }: { symbol: string; name: string },
): void {
  const own = assetsOf(chain).find(
    ({ contract, symbol: wanted, eip712 }) =>
      contract !== address &&
      (readsAs(symbol, [wanted]) ?? readsAs(name, [wanted, eip712.name])) !== undefined,
  )
  if (own)
    throw new Problem(
      'invalid_asset',
      `The contract calls itself "${symbol}" ("${name}"), which reads as ${own.symbol}. The ${own.symbol} of this service is ${own.contract}.`,
      { param: 'address' },
    )
}

/** Registers an inspected token. A registered token gets the new findings, without an event. */
export async function registerToken(
  tx: Tx,
  at: Date,
  inspected: Omit<RegisteredToken, 'status'>,
): Promise<RegisteredToken> {
  const token = await saveToken(tx, inspected)
  if (token.id === inspected.id) await record(tx, at, [tokenEvent(tokenRegistered, token)])
  return token
}

/** Removes a registration of the wallet. Throws `not_found` if none is active. */
export async function unregisterToken(
  tx: Tx,
  at: Date,
  mine: { id: string; walletAddress: string },
): Promise<void> {
  const removed = await removeToken(tx, at, mine)
  if (!removed) throw notFound('token')
  await record(tx, at, [tokenEvent(tokenRemoved, removed)])
}

const tokenEvent = (
  kind: Pick<typeof tokenRegistered, 'of'>,
  { id, walletAddress, network, address, symbol, name, type, decimals }: RegisteredToken,
): BuiltEvent =>
  kind.of({
    walletAddress,
    data: { token_id: id, network, address, symbol, name, type, decimals },
  })

type Readable = TokenFacts & { symbol: string; name: string; decimals: number }

/** The facts of a token that answers every ERC-20 call. */
function readable(facts: TokenFacts | undefined): Readable {
  if (!facts) throw unreadable('There is no contract at the address on this network.')
  const { decimals } = facts
  if (decimals === undefined || decimals > DECIMALS_MAX || !facts.hasBalances)
    throw unreadable(
      `The contract at the address is not an ERC-20 token with 0 to ${DECIMALS_MAX} decimals.`,
    )
  const symbol = plainText(facts.symbol, SYMBOL_MAX)
  if (symbol === undefined) throw unreadable('The token has no symbol that can be shown.')
  return { ...facts, decimals, symbol, name: plainText(facts.name, NAME_MAX) ?? symbol }
}

const unreadable = (what: string): Problem =>
  new Problem('token_unreadable', `${what} Check address and network.`, { param: 'address' })

const FAILED_AT = {
  transfer: 'refuses a transfer from a holder to a new address',
  logging: 'writes no log of a transfer, by which payments are known',
  'passing on': 'refuses to let a receiver pass on what it received',
}

function checkTrial(trial: TokenTrial | undefined): TokenTrial & { outcome: 'passed' } {
  if (!trial)
    throw new Problem(
      'token_not_transferable',
      'No holder of the token was found, so no transfer could be simulated. Transfer some of it, and register it again within the hour.',
    )
  if (trial.outcome === 'failed')
    throw new Problem(
      'token_not_transferable',
      `The token ${FAILED_AT[trial.at]}: it was simulated and not made. Register it when it can be transferred.`,
    )
  if (trial.outcome === 'changed')
    throw new Problem(
      'token_takes_fee',
      `A simulated transfer took ${trial.sent} base units, and ${trial.arrived} arrived: tokens with a fee on transfers cannot pay an exact amount.`,
    )
  return trial
}
