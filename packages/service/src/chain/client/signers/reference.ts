import { resolve } from 'node:path'
import { Secret } from '../../../base/kernel/secrets.ts'
import { ORDER } from './der.ts'

/** The place of a private key. Only the first kind holds the key itself. */
export type KeyReference =
  | { kind: 'hex'; key: Secret }
  /** A file with the key as 0x and 64 hex characters. */
  | { kind: 'file'; path: string }
  /** An encrypted Web3 Secret Storage file. */
  | { kind: 'keystore'; path: string }
  | AwsKmsReference
  | GcpKmsReference

export type AwsKmsReference = {
  kind: 'aws-kms'
  /** A key id, an alias or the ARN of either. */
  keyId: string
  region: string
  /** Replaces the region's own endpoint, e.g. by a VPC endpoint. */
  endpoint?: string
}
export type GcpKmsReference = {
  kind: 'gcp-kms'
  /** `projects/…/locations/…/keyRings/…/cryptoKeys/…/cryptoKeyVersions/…` */
  keyVersion: string
  endpoint?: string
}
type Fault = { kind: 'fault'; fault: string }

export const isPrivateKey = (text: string): boolean =>
  /^0x[0-9a-fA-F]{64}$/.test(text) && BigInt(text) > 0n && BigInt(text) < ORDER

const FORMS =
  'must be a private key as 0x and 64 hex characters, or file:/path, keystore:/path, aws-kms:… or gcp-kms:….'

/**
 * Reads the operator's setting. Opens and calls nothing. A fault is the rest of a sentence that starts with the
 * setting's name. It never quotes the text, which may be a mistyped key.
 */
export function parseKeyReference(text: string): KeyReference | Fault {
  if (isPrivateKey(text)) return { kind: 'hex', key: new Secret(text) }
  const [, scheme, rest = ''] = /^(file|keystore|aws-kms|gcp-kms):(.+)$/.exec(text) ?? []
  if (scheme === 'file' || scheme === 'keystore') return { kind: scheme, path: resolve(rest) }
  if (scheme === 'aws-kms') return parseAwsKms(rest)
  if (scheme === 'gcp-kms') return parseGcpKms(rest)
  return fault(FORMS)
}

const fault = (sentence: string): Fault => ({ kind: 'fault', fault: sentence })

const AWS_KEY =
  /^(mrk-[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|alias\/[\w/-]{1,250})$/
const AWS_ARN = /^arn:aws[a-z-]*:kms:([a-z0-9-]+):\d{12}:(?:key\/)?(.+)$/
const AWS_REGION = /^[a-z]{2}(-[a-z]+)+-\d$/

function parseAwsKms(text: string): AwsKmsReference | Fault {
  const [keyId, options] = splitOptions(text, ['region', 'endpoint'])
  if (!options || !isEndpoint(options.endpoint)) return fault(ENDPOINT)
  const [, arnRegion, key] = AWS_ARN.exec(keyId) ?? []
  if (!AWS_KEY.test(key ?? keyId))
    return fault(
      'must name the AWS KMS key by its id, its alias as alias/name, or its ARN, e.g. aws-kms:alias/treasury?region=eu-west-1.',
    )
  const region = options.region ?? arnRegion ?? ''
  if (!AWS_REGION.test(region) || (arnRegion !== undefined && region !== arnRegion))
    return fault('must say the region of the AWS KMS key, e.g. ?region=eu-west-1; an ARN has it.')
  return { kind: 'aws-kms', keyId, region, ...endpointOf(options) }
}

const GCP_KEY =
  /^projects\/[\w:.-]+\/locations\/[\w-]+\/keyRings\/[\w-]+\/cryptoKeys\/[\w-]+\/cryptoKeyVersions\/\d+$/

function parseGcpKms(text: string): GcpKmsReference | Fault {
  const [keyVersion, options] = splitOptions(text, ['endpoint'])
  if (!options || !isEndpoint(options.endpoint)) return fault(ENDPOINT)
  if (!GCP_KEY.test(keyVersion))
    return fault(
      'must name the version of the Google Cloud KMS key in full: gcp-kms:projects/…/locations/…/keyRings/…/cryptoKeys/…/cryptoKeyVersions/1.',
    )
  return { kind: 'gcp-kms', keyVersion, ...endpointOf(options) }
}

const ENDPOINT =
  'may end in ?region=… (AWS) and endpoint=…, which is an https address, or an http one of this machine, without a path; and in nothing else.'

type Options = { region?: string; endpoint?: string }

/** The text before the question mark, and the options after it. The options are `undefined` if one is unknown. */
function splitOptions(
  text: string,
  known: readonly (keyof Options)[],
): [string, Options | undefined] {
  const [name = '', query = ''] = text.split('?', 2)
  const options = [...new URLSearchParams(query)]
  const isKnown = options.every(([key]) => known.some((one) => one === key))
  return [name, isKnown ? Object.fromEntries(options) : undefined]
}

/** A bearer token and the digests to sign go to the endpoint, so only this machine may be called without TLS. */
function isEndpoint(text: string | undefined): boolean {
  if (text === undefined) return true
  const url = URL.parse(text)
  if (!url || url.username || url.pathname !== '/' || url.search || url.hash) return false
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && isHere)
}

const endpointOf = ({ endpoint }: Options) =>
  endpoint ? { endpoint: new URL(endpoint).origin } : {}
