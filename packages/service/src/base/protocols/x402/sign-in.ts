import type { Address, Hex } from '../../kernel/assets.ts'
import { checksumAddress } from '../evm/checksum.ts'
import { type SiweFields, siweText } from '../evm/siwe/message.ts'
import { type Refused, refused } from './refusal.ts'
import { decodeHeader, type JsonObject, readAddress } from './wire.ts'

export const SIGN_IN_WITH_X = 'sign-in-with-x'
const CHAIN = /^eip155:([1-9][0-9]{0,15})$/
const NONCE = /^[A-Za-z0-9]{8,128}$/
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/
const RESOURCES_MAX = 10
const TEXT_MAX = 2_048

/** A proof that came in the header SIGN-IN-WITH-X (CAIP-122 for `eip155`). Its signature is not judged yet. */
export type SignIn = {
  readonly domain: string
  readonly uri: string
  readonly address: Address
  readonly chainId: string
  readonly statement: string | undefined
  readonly nonce: string
  readonly issuedAt: Date
  readonly expirationTime: Date | undefined
  readonly notBefore: Date | undefined
  readonly signature: Hex
  /** The text that the wallet signed. */
  readonly text: string
}
export type ReadSignIn = { ok: true; signIn: SignIn } | Refused

/** Reads the header strictly: every field fills one line of the message at most, so none can stand for another. */
export function readSignIn(header: string): ReadSignIn {
  const json = decodeHeader(header)
  const address = json && readAddress(json.address)
  if (!json || !address) return malformed('it is no base64 of a JSON object with an address')
  const { type, version, chainId, nonce, signature } = json
  if (type !== 'eip191' || version !== '1') return malformed('type must be eip191, and version 1')
  const chain = typeof chainId === 'string' ? CHAIN.exec(chainId)?.[1] : undefined
  if (chain === undefined) return malformed('chainId must be eip155 and a number')
  if (typeof nonce !== 'string' || !NONCE.test(nonce))
    return malformed('nonce must be 8 letters or digits, or more')
  if (typeof signature !== 'string' || !/^0x([0-9a-fA-F]{2}){1,4096}$/.test(signature))
    return malformed('signature must be hex')
  const lines = readLines(json)
  const times = readTimes(json)
  if (!lines || !times) return malformed('a field is missing, or takes more than its line')
  const message: SiweFields = {
    ...lines,
    ...times,
    address: checksumAddress(address),
    chainId: Number(chain),
    nonce,
  }
  return {
    ok: true,
    signIn: {
      ...lines,
      nonce,
      address: message.address,
      chainId: String(chainId),
      issuedAt: new Date(times.issuedAt),
      expirationTime: dateOf(times.expirationTime),
      notBefore: dateOf(times.notBefore),
      signature: signature as Hex,
      text: siweText(message),
    },
  }
}

const malformed = (why: string): Refused =>
  refused('invalid_payload', `The header SIGN-IN-WITH-X cannot be read: ${why}.`)

const dateOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text)

function readLines(json: JsonObject) {
  const [domain, uri, statement] = [lineOf(json.domain), lineOf(json.uri), lineOf(json.statement)]
  const requestId = lineOf(json.requestId)
  const { resources = [] } = json
  if (domain === undefined || uri === undefined || !Array.isArray(resources)) return undefined
  const isWrong = (value: unknown, read: string | undefined) =>
    value !== undefined && value !== null && read === undefined
  if (isWrong(json.statement, statement) || isWrong(json.requestId, requestId)) return undefined
  const read = resources.flatMap((one) => lineOf(one) ?? [])
  if (read.length !== resources.length || read.length > RESOURCES_MAX) return undefined
  return { domain, uri, statement, requestId, resources: read }
}

const lineOf = (value: unknown): string | undefined =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would begin another field
  typeof value === 'string' && value.length <= TEXT_MAX && !/[\u0000-\u001f\u007f]/.test(value)
    ? value
    : undefined

/** Times as they were written: the wallet signed their text. */
function readTimes({ issuedAt, expirationTime, notBefore }: JsonObject) {
  const isTime = (value: unknown) =>
    typeof value === 'string' && DATE.test(value) && !Number.isNaN(Date.parse(value))
  const isOptional = (value: unknown) => value === undefined || value === null || isTime(value)
  if (!isTime(issuedAt) || !isOptional(expirationTime) || !isOptional(notBefore)) return undefined
  return {
    issuedAt: String(issuedAt),
    expirationTime: typeof expirationTime === 'string' ? expirationTime : undefined,
    notBefore: typeof notBefore === 'string' ? notBefore : undefined,
  }
}

/** How far a wallet's clock may be ahead. */
const SKEW_MS = 30_000

/** Why the proof is not for this URL and time; undefined if it is. `maxAgeMs` counts from its issue. */
export function signInRefusal(
  signIn: SignIn,
  expected: { url: URL; network: string; at: Date; maxAgeMs: number },
): Refused | undefined {
  const { url, network, at, maxAgeMs } = expected
  const now = at.getTime()
  const issued = signIn.issuedAt.getTime()
  if (signIn.domain !== url.host)
    return refused(
      'invalid_siwx_domain_mismatch',
      `The message was signed for another host than ${url.host}.`,
    )
  if (URL.parse(signIn.uri)?.origin !== url.origin)
    return refused(
      'invalid_siwx_uri_mismatch',
      `The message was signed for another site than ${url.origin}.`,
    )
  if (signIn.chainId !== network)
    return refused('invalid_network', `The message was signed for another chain than ${network}.`)
  if (issued > now + SKEW_MS)
    return refused('invalid_siwx_issued_at_in_future', 'The message was issued in the future.')
  if (issued < now - maxAgeMs)
    return refused('invalid_siwx_issued_at_too_old', 'The message is too old. Sign a new one.')
  if (signIn.expirationTime && signIn.expirationTime.getTime() <= now)
    return refused('invalid_siwx_expired', 'The message has expired. Sign a new one.')
  if (signIn.notBefore && signIn.notBefore.getTime() > now)
    return refused('invalid_siwx_not_yet_valid', 'The message is not valid yet.')
  return undefined
}

/** The extension of a 402 that lets a wallet come back. */
export const signInExtension = (info: {
  domain: string
  uri: string
  statement: string
  nonce: string
  issuedAt: Date
  expirationTime: Date
  network: string
}): JsonObject => ({
  [SIGN_IN_WITH_X]: {
    info: {
      domain: info.domain,
      uri: info.uri,
      statement: info.statement,
      version: '1',
      nonce: info.nonce,
      issuedAt: info.issuedAt.toISOString(),
      expirationTime: info.expirationTime.toISOString(),
    },
    supportedChains: [{ chainId: info.network, type: 'eip191' }],
    schema: { type: 'object', required: ['address', 'chainId', 'nonce', 'signature'] },
  },
})
