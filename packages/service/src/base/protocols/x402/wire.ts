import { isReservedAddress, isSystemAddress } from '../../kernel/address.ts'
import type { Address, Hex, Network } from '../../kernel/assets.ts'
import { type JsonTextFault, scanJson } from '../../kernel/json-text.ts'
import { decodeBase64 } from '../base64.ts'
import { checksumAddress } from '../evm/checksum.ts'

export type JsonObject = { [key: string]: unknown }

/** The longest header that is read, in characters. Peers send 0.5 to 2 KB. */
export const HEADER_MAX_CHARACTERS = 32 * 1024
const UINT256_MAX = 2n ** 256n - 1n

/** JSON in padded standard base64: the form of every x402 header that we write. */
export const encodeHeader = (value: JsonObject): string =>
  Buffer.from(JSON.stringify(value), 'utf8').toString('base64')

/**
 * The JSON object in a header, which peers write in any form of base64; `undefined` for anything else, for text that is
 * not UTF-8 and for more than 32 KiB.
 */
export function decodeHeader(value: string): JsonObject | undefined {
  const bytes = value.length > HEADER_MAX_CHARACTERS ? undefined : decodeBase64(value)
  return bytes && parseJsonObject(bytes)
}

/** Why `decodeHeader` does not read a value, worded to follow the header's name. */
export function faultOfHeader(value: string): string {
  if (value.length > HEADER_MAX_CHARACTERS) return 'is longer than 32 KiB'
  const bytes = decodeBase64(value)
  if (!bytes) return 'is not base64'
  return faultOfJson(bytes) ?? 'is base64, but not of a JSON object'
}

/** The ambiguity of a JSON text, worded to follow the text's name; `undefined` for any other. */
export function faultOfJson(bytes: Uint8Array): string | undefined {
  const { fault } = readJson(bytes)
  return fault && FAULTS[fault.kind](fault.at)
}

const FAULTS: Readonly<Record<JsonTextFault['kind'], (at: string) => string>> = {
  twice: (at) => `has ${at} twice`,
  reserved: (at) => `has the reserved name ${at}`,
  surrogate: () => 'has half of a surrogate pair',
  deep: () => 'nests too deep',
}

/** A JSON object that all readers take the same way. `undefined` also for one with a member that stands twice. */
export function parseJsonObject(bytes: Uint8Array): JsonObject | undefined {
  const { value, fault } = readJson(bytes)
  return !fault && isObject(value) ? value : undefined
}

function readJson(bytes: Uint8Array): { value?: unknown; fault?: JsonTextFault | undefined } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { value: JSON.parse(text), fault: scanJson(text).fault }
  } catch (error) {
    // TypeError: not UTF-8. SyntaxError: not JSON.
    if (error instanceof SyntaxError || error instanceof TypeError) return {}
    throw error
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether every number in the value survives parsing and printing, as an echo requires. */
export function hasExactNumbers(value: unknown): boolean {
  if (typeof value === 'number')
    return Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value))
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every(hasExactNumbers)
}

/** Deep equality of JSON values; the order of members is ignored. Descends no deeper than `ours`. */
export function sameJson(ours: unknown, theirs: unknown): boolean {
  if (Array.isArray(ours))
    return (
      Array.isArray(theirs) &&
      ours.length === theirs.length &&
      ours.every((item, index) => sameJson(item, theirs[index]))
    )
  if (!isObject(ours)) return ours === theirs
  if (!isObject(theirs)) return false
  const names = Object.keys(ours)
  return (
    names.length === Object.keys(theirs).length &&
    names.every((name) => Object.hasOwn(theirs, name) && sameJson(ours[name], theirs[name]))
  )
}

/** The checksummed address of a payer or payee, from any letter case; `undefined` for the chain's own addresses. */
export const readAddress = (value: unknown): Address | undefined =>
  isAddressText(value) && !isSystemAddress(value) ? checksumAddress(value) : undefined

/** The checksummed address of a token, from any letter case. A predeploy may be one. */
export const readToken = (value: unknown): Address | undefined =>
  isAddressText(value) && !isReservedAddress(value) ? checksumAddress(value) : undefined

const isAddressText = (value: unknown): value is Address =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)

/** A uint256 in plain decimal: no sign, no leading zero, no space, no exponent. */
export function readUint(value: unknown): bigint | undefined {
  if (typeof value !== 'string' || !/^(?:0|[1-9]\d{0,77})$/.test(value)) return undefined
  const number = BigInt(value)
  return number <= UINT256_MAX ? number : undefined
}

export const readHex = (value: unknown, bytes: number): Hex | undefined =>
  typeof value === 'string' && value.length === 2 + 2 * bytes && /^0x[0-9a-fA-F]+$/.test(value)
    ? (value as Hex)
    : undefined

export const readNetwork = (value: unknown): Network | undefined =>
  typeof value === 'string' && /^eip155:[1-9]\d{0,14}$/.test(value) ? (value as Network) : undefined

/** The names that x402 v1 gives to networks. */
const V1_NETWORKS: readonly (readonly [name: string, network: Network])[] = [
  ['base', 'eip155:8453'],
  ['base-sepolia', 'eip155:84532'],
]

export const networkOfV1Name = (name: unknown): Network | undefined =>
  V1_NETWORKS.find(([known]) => known === name)?.[1]
export const v1NameOf = (network: Network): string | undefined =>
  V1_NETWORKS.find(([, known]) => known === network)?.[0]

/** All names of the network that has this name. */
export const namesOfNetwork = (name: string): readonly string[] => {
  const known = V1_NETWORKS.find((names) => names.some((one) => one === name))
  return known ?? [name]
}

/** The network's name in messages of the version: its CAIP-2 id if v1 has no name for it. */
export const networkName = (network: Network, version: 1 | 2): string =>
  version === 1 ? (v1NameOf(network) ?? network) : network
