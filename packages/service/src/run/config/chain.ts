import type { Address } from '../../base/kernel/assets.ts'
import { Secret, type Secrets } from '../../base/kernel/secrets.ts'
import { PASSPHRASE_VARIABLE } from '../../chain/client/signers/open.ts'
import { type KeyReference, parseKeyReference } from '../../chain/client/signers/reference.ts'
import type { Source, Variable } from './values.ts'

/** The embedded chain, whose missing keys and secret are made on the first start, or one that is reached by RPC. */
export type ChainChoice =
  | {
      kind: 'embedded'
      operatorKey?: KeyReference
      relayerKeys?: KeyReference[]
      secrets?: Secrets
    }
  | {
      kind: 'rpc'
      urls: Secret[]
      operatorKey: KeyReference
      relayerKeys: KeyReference[]
      secrets: Secrets
      /** The address of BatchSettler on this chain, through which sends share transactions. */
      batchSettler: Address | undefined
    }

/** Reads how the chain is reached, and the keys and the secret that it needs. */
export function readChain(from: Source): ChainChoice {
  const urls = readRpcUrls(from)
  const operatorText = from.text('PURSER_OPERATOR_KEY')
  const operatorKey =
    operatorText === undefined ? undefined : readKey(from, 'PURSER_OPERATOR_KEY', operatorText)
  const relayerKeys = from
    .text('PURSER_RELAYER_KEYS')
    ?.split(',')
    .map((part) => readKey(from, 'PURSER_RELAYER_KEYS', part.trim()))
  requirePassphrase(from, [operatorKey, ...(relayerKeys ?? [])])
  const secrets = readSecrets(from, 'PURSER_SECRET')
  const batchSettler = readSettler(from)
  if (!urls)
    return {
      kind: 'embedded',
      ...(operatorKey ? { operatorKey } : {}),
      ...(relayerKeys ? { relayerKeys } : {}),
      ...(secrets ? { secrets } : {}),
    }
  const missing = (name: Variable, what: string) =>
    from.fault(
      `${name} must be set when PURSER_RPC_URL is: ${what}; only the embedded chain is started with made-up ones.`,
    )
  if (!operatorKey)
    missing(
      'PURSER_OPERATOR_KEY',
      'name the treasury key, e.g. aws-kms:… or keystore:/path/to/file',
    )
  if (!relayerKeys)
    missing('PURSER_RELAYER_KEYS', 'name one or more keys that hold gas, comma-separated')
  if (!secrets) missing('PURSER_SECRET', 'write the output of "openssl rand -hex 32"')
  return {
    kind: 'rpc',
    urls,
    operatorKey: operatorKey ?? NO_KEY,
    relayerKeys: relayerKeys ?? [],
    secrets: secrets ?? [new Secret('')],
    batchSettler,
  }
}

function readSettler(from: Source): Address | undefined {
  const text = from.text('PURSER_BATCH_SETTLER')
  if (text === undefined) return undefined
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return text.toLowerCase() as Address
  from.fault(
    'PURSER_BATCH_SETTLER must be the address of BatchSettler on this chain, 0x and 40 hex characters; leave it out to send each payment in a transaction of its own.',
  )
  return undefined
}

/** A placeholder for a faulty value, so that reading goes on and finds the next fault. */
const NO_KEY: KeyReference = { kind: 'hex', key: new Secret('') }

function readRpcUrls(from: Source): Secret[] | undefined {
  const text = from.text('PURSER_RPC_URL')
  if (text === undefined) return undefined
  const urls = text.split(',').map((part) => part.trim())
  if (urls.some((url) => !/^https?:$/.test(URL.parse(url)?.protocol ?? '')))
    from.fault(
      'PURSER_RPC_URL must be http or https addresses, comma-separated, e.g. https://sepolia.base.org; leave it out for the embedded chain.',
    )
  return urls.map((url) => new Secret(url))
}

function readKey(from: Source, name: Variable, text: string): KeyReference {
  const found = parseKeyReference(text)
  if (found.kind !== 'fault') return found
  from.fault(`${name} ${found.fault}`)
  return NO_KEY
}

/** The passphrase is read only when the keystore is opened, and is not kept. */
function requirePassphrase(from: Source, keys: readonly (KeyReference | undefined)[]): void {
  const isGiven = from.text(PASSPHRASE_VARIABLE) !== undefined
  if (!isGiven && keys.some((key) => key?.kind === 'keystore'))
    from.fault(
      `${PASSPHRASE_VARIABLE} must be set when a key is named as keystore:…: it opens that file.`,
    )
}

const SECRET = /^[0-9a-fA-F]{64}$/

/** Secrets of which the first is used and the others still count; undefined without any. */
export function readSecrets(
  from: Source,
  name: 'PURSER_SECRET' | 'PURSER_MPP_SECRETS' | 'PURSER_LEDGER_SECRETS',
): Secrets | undefined {
  const text = from.text(name)
  if (text === undefined) return undefined
  const [current = '', ...previous] = text.split(',').map((part) => part.trim().toLowerCase())
  if (![current, ...previous].every((one) => SECRET.test(one)))
    from.fault(
      name === 'PURSER_SECRET'
        ? 'PURSER_SECRET must be 32 bytes as 64 hex characters: write the output of "openssl rand -hex 32". While it is rotated, the old one follows behind a comma.'
        : `${name} must be secrets of 64 hex characters, comma-separated: the new one, then those that stay good for what was made with them.`,
    )
  return [new Secret(current), ...previous.map((one) => new Secret(one))]
}
