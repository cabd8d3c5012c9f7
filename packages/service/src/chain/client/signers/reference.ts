import { resolve } from 'node:path'
import secp256k1 from 'secp256k1'
import { Secret } from '../../../base/kernel/secrets.ts'

/** The place of a private key. Only the first kind holds the key itself. */
export type KeyReference =
  | { kind: 'hex'; key: Secret }
  /** A file with the key as 0x and 64 hex characters. */
  | { kind: 'file'; path: string }
  /** An encrypted Web3 Secret Storage file. */
  | { kind: 'keystore'; path: string }
  | KeptReference

/** A key that somebody else's service keeps, and signs with. */
export type KeptReference = {
  kind: 'kept'
  scheme: KeeperScheme
  /** As that service names it. */
  key: string
  region?: string
  /** Replaces that service's own address. */
  endpoint?: string
}
/** The packages that ask the keepers of keys, by the scheme of a reference. */
export const KEEPERS = {
  'aws-kms': '@purser/signers-aws',
  'gcp-kms': '@purser/signers-gcp',
} as const
export type KeeperScheme = keyof typeof KEEPERS
type Fault = { kind: 'fault'; fault: string }

export const isPrivateKey = (text: string): boolean =>
  /^0x[0-9a-fA-F]{64}$/.test(text) && secp256k1.privateKeyVerify(Buffer.from(text.slice(2), 'hex'))

const FORMS =
  'must be a private key as 0x and 64 hex characters, or file:/path, keystore:/path, aws-kms:… or gcp-kms:….'

/**
 * Reads the operator's setting. Opens and calls nothing. A fault is the rest of a sentence that starts with the
 * setting's name. It never quotes the text, which may be a mistyped key.
 */
export function parseKeyReference(text: string): KeyReference | Fault {
  if (isPrivateKey(text)) return { kind: 'hex', key: new Secret(text) }
  const [, scheme = '', rest = ''] = /^([a-z-]+):(.+)$/.exec(text) ?? []
  if (scheme === 'file' || scheme === 'keystore') return { kind: scheme, path: resolve(rest) }
  return isKept(scheme) ? parseKept(scheme, rest) : fault(FORMS)
}

const isKept = (scheme: string): scheme is KeeperScheme => Object.hasOwn(KEEPERS, scheme)

const fault = (sentence: string): Fault => ({ kind: 'fault', fault: sentence })

/** The key's package says whether it is one: it knows how its keeper names keys. */
function parseKept(scheme: KeeperScheme, text: string): KeptReference | Fault {
  const [key = '', query = ''] = text.split('?', 2)
  const { region, endpoint, ...unknown } = Object.fromEntries(new URLSearchParams(query))
  if (Object.keys(unknown).length > 0 || !isEndpoint(endpoint))
    return fault(
      'may end in ?region=… (AWS) and endpoint=…, which is an https address, or an http one of this machine, without a path; and in nothing else.',
    )
  return {
    kind: 'kept',
    scheme,
    key,
    ...(region ? { region } : {}),
    ...(endpoint ? { endpoint: new URL(endpoint).origin } : {}),
  }
}

/** Credentials and the digests to sign go to the endpoint, so only this machine may be called without TLS. */
function isEndpoint(text: string | undefined): boolean {
  if (text === undefined) return true
  const url = URL.parse(text)
  if (!url || url.username || url.pathname !== '/' || url.search || url.hash) return false
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && isHere)
}
