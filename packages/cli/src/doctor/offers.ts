import { addr } from 'micro-eth-signer'
import { type Finding, finding, isObject, type Json, shown } from './faults.ts'

const FIELDS = ['scheme', 'network', 'asset', 'payTo', 'maxTimeoutSeconds'] as const
const CAIP2 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/
const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const NOBODY = /^0x0{40}$/
const SHORTEST_SECONDS = 10

/** The first thing that is wrong with each offer: what follows from it is not named. */
export function checkOffers(demand: Json, version: 1 | 2): Finding[] {
  const { accepts } = demand
  if (!Array.isArray(accepts) || accepts.length === 0) return [finding('no_offers', '', 'accepts')]
  const seen = new Map<string, number>()
  return accepts.flatMap((offer, i) => {
    const at = `accepts[${i}]`
    if (!isObject(offer)) return [finding('offer_not_an_object', '', at)]
    const first = seen.get(JSON.stringify(offer))
    if (first !== undefined) return [finding('offer_twice', `accepts[${first}]`, at)]
    seen.set(JSON.stringify(offer), i)
    const found =
      checkTerms(offer, { version, at }) ?? checkToken(offer, at) ?? checkPatience(offer, at)
    return found ? [found] : []
  })
}

type Place = { version: 1 | 2; at: string }

function checkTerms(offer: Json, { version, at }: Place): Finding | undefined {
  const amountName = version === 1 ? 'maxAmountRequired' : 'amount'
  const lacking = [...FIELDS, amountName].find((name) => offer[name] === undefined)
  if (lacking) return finding('offer_lacks', lacking, at)
  if (version === 2 && !CAIP2.test(String(offer.network)))
    return finding('network_not_caip2', shown(offer.network), `${at}.network`)
  const amount = offer[amountName]
  const amountAt = `${at}.${amountName}`
  if (typeof amount === 'number') return finding('amount_not_text', String(amount), amountAt)
  if (/^0+$/.test(String(amount))) return finding('amount_zero', '', amountAt)
  if (!/^[1-9]\d*$/.test(String(amount)))
    return finding('amount_not_units', shown(amount), amountAt)
  const { maxTimeoutSeconds: seconds } = offer
  const timeoutAt = `${at}.maxTimeoutSeconds`
  if (!Number.isSafeInteger(seconds) || Number(seconds) <= 0)
    return finding('timeout_not_seconds', shown(seconds), timeoutAt)
  const isKnown = offer.scheme === 'exact' || offer.scheme === 'upto'
  return isKnown ? undefined : finding('unknown_scheme', shown(offer.scheme), `${at}.scheme`)
}

const checkPatience = ({ maxTimeoutSeconds }: Json, at: string): Finding | undefined =>
  Number(maxTimeoutSeconds) < SHORTEST_SECONDS
    ? finding('timeout_too_short', String(maxTimeoutSeconds), `${at}.maxTimeoutSeconds`)
    : undefined

/** Version 2 says eip155; version 1 has names such as base. */
const isEvm = (network: string): boolean =>
  network.includes(':') ? network.startsWith('eip155:') : !network.startsWith('solana')

/** The token and the payee of an offer on an EVM chain. Other chains write addresses otherwise. */
function checkToken(offer: Json, at: string): Finding | undefined {
  const { asset, payTo, network, scheme } = offer
  const extra = isObject(offer.extra) ? offer.extra : {}
  if (!isEvm(String(network))) return undefined
  if (!ADDRESS.test(String(asset))) return finding('asset_not_address', shown(asset), `${at}.asset`)
  const payeeAt = `${at}.payTo`
  if (!ADDRESS.test(String(payTo))) return finding('payee_not_address', shown(payTo), payeeAt)
  if (NOBODY.test(String(payTo))) return finding('payee_nobody', '', payeeAt)
  if (!hasChecksum(String(payTo))) return finding('payee_checksum', String(payTo), payeeAt)
  if (String(payTo).toLowerCase() === String(asset).toLowerCase())
    return finding('payee_is_token', '', payeeAt)
  if (scheme === 'upto')
    return ADDRESS.test(String(extra.facilitatorAddress))
      ? undefined
      : finding('no_upto_facilitator', '', `${at}.extra`)
  if ((extra.assetTransferMethod ?? 'eip3009') !== 'eip3009') return undefined
  const unnamed = ['name', 'version'].find((name) => typeof extra[name] !== 'string')
  return unnamed ? finding('no_token_domain', unnamed, `${at}.extra`) : undefined
}

/** An address in one case has no checksum to be wrong. */
function hasChecksum(address: string): boolean {
  const digits = address.slice(2)
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return isOneCase || addr.addChecksum(address.toLowerCase()) === address
}
