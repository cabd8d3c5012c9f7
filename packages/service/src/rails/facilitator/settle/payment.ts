import { perServices, type Uses } from '../../../api/http/services.ts'
import { gather } from '../../../base/db/lanes/gather.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import { formatAmount } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { authorizationDigest } from '../../../base/protocols/evm/eip3009/authorization.ts'
import { EXACT_PERMIT2_PROXY, UPTO_PERMIT2_PROXY } from '../../../base/protocols/evm/permit2/abi.ts'
import type { Offer } from '../../../base/protocols/x402/challenge.ts'
import type { FacilitatedPayment } from '../../../base/protocols/x402/facilitator.ts'
import { timeRefusal } from '../../../base/protocols/x402/match.ts'
import { type Refused, refused, refusedByToken } from '../../../base/protocols/x402/refusal.ts'
import { isObject } from '../../../base/protocols/x402/wire.ts'
import { judgeSignature } from '../../../chain/client/accounts/judge-signature.ts'
import type { Chain } from '../../../chain/client/chain.ts'
import { readRecentHead } from '../../../chain/client/head.ts'
import { assetAt, defaultAsset, railAt } from '../../../chain/client/rails.ts'
import { type Latest, nowSecondsOf, readLatest } from '../../../chain/client/read-latest.ts'
import { type Funds, simulateSend } from '../../../chain/client/simulate.ts'
import { isPermit2There } from '../../../chain/client/tokens/permit2.ts'
import {
  askPermit2,
  askWithFunds,
  type Call,
  lookAtPermit,
  lookAtSponsored,
  lookAtUpto,
} from '../../../chain/transfers/looks/permit.ts'
import { simulateTransfer, transferCall } from '../../../chain/transfers/looks/signed-transfer.ts'
import { findLinkAddresses } from '../../../links/link/store-addresses.ts'
import { refusedSignature } from '../../../links/pay-links/methods/authorization/payer.ts'
import { findActiveToken } from '../../../money/tokens/store.ts'
import type { Settlement } from '../store.ts'

/** A payment that a relayer could submit: signed, in time, in a token that is settled here, and not to this service. */
export type Carriable = {
  ok: true
  payment: FacilitatedPayment
  call: Call
  /** The reason for which the token would refuse it now, if it would. */
  refusal: Refused | undefined
  latest: Latest
  /** The payer's balance. */
  funds: Funds
}

/**
 * Checks a payment completely. Tokens that `walletAddress` registered count; without it, tokens that anyone registered.
 */
export async function lookAt(
  services: Uses<'chain' | 'db' | 'settings'>,
  at: Date,
  { payment, walletAddress }: { payment: FacilitatedPayment; walletAddress?: Address },
): Promise<Carriable | Refused> {
  const { chain } = services
  const { requirements, authorization, method } = payment
  const foreign =
    method !== 'eip3009'
      ? await permitRailRefusal(services, payment, walletAddress)
      : (railRefusal(chain, requirements) ?? amountRefusal(services, authorization.value))
  if (foreign) return foreign
  // Asked at the same time: nearly every payment is valid.
  const asking = method === 'eip3009' ? askToken(services, payment) : undefined
  asking?.catch(() => undefined)
  const [isOurs, latest] = await Promise.all([
    isOwnAddress(services, requirements.payTo),
    // The signature and the time of an authorization need no newer block; the token is asked about the newest.
    method === 'eip3009' ? readRecentHead(chain) : readLatest(chain),
  ])
  if (isOurs)
    return refused(
      'invalid_payment_requirements',
      'payTo is an address of this service: pay the link that it belongs to.',
    )
  if (!asking) return lookAtPermitted(services, payment, { latest, at })
  const untimely = timeRefusal(authorization, nowSecondsOf(latest, at))
  if (untimely) return untimely
  const asked = await asking
  return 'call' in asked ? { ok: true, payment, latest, ...asked } : asked
}

async function lookAtPermitted(
  services: Uses<'chain'>,
  payment: FacilitatedPayment,
  when: { latest: Latest; at: Date },
): Promise<Carriable | Refused> {
  const { requirements, authorization, method, payload, signature, amount } = payment
  const permit = { ...authorization, token: requirements.asset }
  const presented = { permit, signature }
  const { facilitator, tokenPermit } = payload
  // Nothing used: then the whole is asked about, since the proxy moves no less than one unit.
  const value = amount || authorization.value
  const looked = await (method === 'upto' && facilitator
    ? lookAtUpto(services, { ...presented, facilitator, amount: value }, when)
    : tokenPermit
      ? lookAtSponsored(services, { ...presented, tokenPermit }, when)
      : lookAtPermit(services, presented, when))
  if (!looked.ok) return looked
  const { latest } = when
  const { call } = looked
  const asked = await askWithFunds(services, { ...permit, value }, { call, latest })
  return { ...looked, payment, latest, ...asked }
}

/** The call that submits an authorization, and the token's refusal if it would refuse now. Refused if the payer did not sign. */
async function askToken(
  { chain, settings }: Uses<'chain' | 'settings'>,
  { authorization, signature, requirements }: FacilitatedPayment,
): Promise<Pick<Carriable, 'call' | 'refusal' | 'funds'> | Refused> {
  const rail = railAt(chain, requirements.asset)
  const digest = authorizationDigest(rail.asset, authorization)
  const presented = { signer: authorization.from, digest, signature }
  const signed = await judgeSignature(chain, presented, settings.accountFactories)
  if (!signed.ok) return refusedSignature(signed.reason)
  const transfer = { authorization, signed }
  const { revert, funds } = await simulateTransfer(rail, transfer)
  return { call: transferCall(rail, transfer), refusal: refusalIn(revert), funds }
}

const refusalIn = (revert: string | undefined): Refused | undefined =>
  revert === undefined ? undefined : refusedByToken(revert)

/** The token's refusal of a settlement whose call is stored; undefined if the token would accept it now. */
export async function askTokenAgain(
  services: Uses<'chain'>,
  { method, token, payer, payTo, amount, nonce }: Settlement,
  call: Call,
): Promise<Refused | undefined> {
  if (method !== 'eip3009')
    return askPermit2(services, { token, from: payer, to: payTo, value: amount, nonce }, call)
  return refusalIn(await simulateSend(services.chain, call))
}

/**
 * Refuses a payment in a token that is not registered, or on a chain without Permit2. Tokens that `walletAddress`
 * registered count; without it, tokens that anyone registered.
 */
async function permitRailRefusal(
  services: Uses<'chain' | 'db' | 'settings'>,
  { requirements, method, amount }: FacilitatedPayment,
  walletAddress: Address | undefined,
): Promise<Refused | undefined> {
  const { chain, db } = services
  const { network, asset: address } = requirements
  if (network !== chain.network)
    return refused('invalid_network', `Payments are settled on ${chain.network} alone.`)
  const isOurs = assetAt(chain, address)
  if (isOurs && method === 'permit2')
    return refused(
      'unsupported_scheme',
      `${isOurs.symbol} is paid by EIP-3009: leave assetTransferMethod out.`,
    )
  const [token, isThere] = await Promise.all([
    isOurs || findActiveToken(db.reader, { network, address, walletAddress }),
    isPermit2There(services, method === 'upto' ? UPTO_PERMIT2_PROXY : EXACT_PERMIT2_PROXY),
  ])
  if (!isThere)
    return refused('permit2_proxy_not_deployed', `There is no Permit2 for x402 on ${network}.`)
  if (isOurs) return amount === 0n ? undefined : amountRefusal(services, amount)
  if (token) return undefined
  return refused(
    'invalid_payment_requirements',
    'The asset is not registered: the wallet of the API key registers it by POST /api/tokens.',
  )
}

/** EIP-3009 payments are in our own assets only. */
function railRefusal(chain: Chain, requirements: Offer): Refused | undefined {
  if (requirements.network !== chain.network)
    return refused('invalid_network', `Payments are settled on ${chain.network} alone.`)
  const asset = assetAt(chain, requirements.asset)
  if (!asset) {
    const { symbol, contract } = defaultAsset(chain)
    return refused(
      'invalid_payment_requirements',
      `Payments are settled in ${symbol} alone: asset must be ${contract}.`,
    )
  }
  const extra = isObject(requirements.raw.extra) ? requirements.raw.extra : {}
  const { name, version } = asset.eip712
  if (extra.name !== undefined && extra.name !== name)
    return refused('invalid_exact_evm_token_name_mismatch', `extra.name must be "${name}".`)
  if (extra.version !== undefined && extra.version !== version)
    return refused(
      'invalid_exact_evm_token_version_mismatch',
      `extra.version must be "${version}".`,
    )
  return undefined
}

/** Less than the minimum is not worth its gas. */
function amountRefusal(services: Uses<'chain' | 'settings'>, value: bigint): Refused | undefined {
  const asset = defaultAsset(services.chain)
  const { minimum } = services.settings.gas
  if (value >= minimum) return undefined
  const least = formatAmount(minimum, asset.decimals)
  return refused(
    'amount_below_minimum',
    `A payment must be at least ${minimum} base units, ${least} ${asset.symbol}.`,
  )
}

const linkAddresses = perServices(({ db }: Uses<'db'>) =>
  gather(async (addresses: string[]) => {
    const found = await findLinkAddresses(db.reader, addresses)
    return new Map([...found].map((address) => [address as string, true]))
  }),
)

/**
 * Whether the address is the treasury or a pay link's own. A payment to one of them is claimed by the link, or credited as
 * a deposit, and must not count twice.
 */
async function isOwnAddress(services: Uses<'chain' | 'db'>, address: Address): Promise<boolean> {
  if (address === services.chain.treasury.address) return true
  return (await linkAddresses(services)(address)) === true
}

/** Undefined if the chain does not answer, for callers that have an outcome for it. */
export async function unlessSilent<T>(
  { log }: Uses<'log'>,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'chain_unavailable') throw error
    log.warn({ err: error, cause: error.cause }, 'a payment could not be looked up on the chain')
    return undefined
  }
}
