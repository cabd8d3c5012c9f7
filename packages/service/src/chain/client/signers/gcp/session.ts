import { createPrivateKey, createSign, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { addSeconds, unixSeconds } from '../../../../base/kernel/clock.ts'
import { Secret } from '../../../../base/kernel/secrets.ts'
import {
  type Answer,
  ask,
  excerpt,
  type KeeperDeps,
  members,
  NEAR_TIMEOUT_MS,
  textOf,
} from '../ask.ts'
import { type Lease, type Leased, leased } from '../lease.ts'
import { SignerError } from '../signer-error.ts'

const SCOPE = 'https://www.googleapis.com/auth/cloudkms'
const TOKEN_URL = 'https://oauth2.googleapis.com/token'
const METADATA_HOST = 'metadata.google.internal'
const ASSERTION_SECONDS = 3600

/**
 * The OAuth token of the service account whose key file GOOGLE_APPLICATION_CREDENTIALS names. Without that variable,
 * the machine's own token.
 */
export function gcpSession(deps: KeeperDeps): Leased<Secret> {
  const file = deps.env.GOOGLE_APPLICATION_CREDENTIALS
  return leased(() => (file ? askAsAccount(file, deps) : askMachine(deps)), deps.clock)
}

/** RFC 7523: a JWT signed by the service account's key, in exchange for a token. */
async function askAsAccount(path: string, deps: KeeperDeps): Promise<Lease<Secret>> {
  const account = await readAccount(path)
  const name = 'Google’s token service'
  const answer = await ask(deps, { name }, () => ({
    method: 'POST',
    url: account.tokenUrl,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: assertionOf(account, deps.clock.now()),
    }).toString(),
  }))
  return leaseOf(name, answer, deps)
}

type Account = { email: string; keyId: string; key: KeyObject; tokenUrl: string }

function assertionOf({ email, keyId, key, tokenUrl }: Account, at: Date): string {
  const iat = unixSeconds(at)
  const claims = { iss: email, scope: SCOPE, aud: tokenUrl, iat, exp: iat + ASSERTION_SECONDS }
  const header = { alg: 'RS256', typ: 'JWT', ...(keyId ? { kid: keyId } : {}) }
  const [head, payload] = [header, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const signature = createSign('RSA-SHA256').update(`${head}.${payload}`).sign(key, 'base64url')
  return `${head}.${payload}.${signature}`
}

async function readAccount(path: string): Promise<Account> {
  const account = members(await readText(path))
  const [email, pem] = [textOf(account.client_email), textOf(account.private_key)]
  if (account.type !== 'service_account' || !email || !pem)
    throw new SignerError(
      `The file ${path}, which GOOGLE_APPLICATION_CREDENTIALS names, is not the key of a service account: create a JSON key for one, or run on Google Cloud without that variable.`,
    )
  return {
    email,
    keyId: textOf(account.private_key_id),
    key: readPem(path, pem),
    tokenUrl: textOf(account.token_uri) || TOKEN_URL,
  }
}

function readPem(path: string, pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch (cause) {
    throw new SignerError(`The private key in ${path} cannot be read.`, { cause })
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new SignerError(
      `The file ${path}, which GOOGLE_APPLICATION_CREDENTIALS names, cannot be read.`,
      { cause },
    )
  }
}

async function askMachine(deps: KeeperDeps): Promise<Lease<Secret>> {
  const host = deps.env.GCE_METADATA_HOST ?? METADATA_HOST
  const name =
    'GOOGLE_APPLICATION_CREDENTIALS is not set, and the metadata server of the machine (Google Cloud)'
  const answer = await ask(deps, { name, timeoutMs: NEAR_TIMEOUT_MS }, () => ({
    method: 'GET',
    url: `http://${host}/computeMetadata/v1/instance/service-accounts/default/token`,
    headers: { 'metadata-flavor': 'Google' },
  }))
  return leaseOf(name, answer, deps)
}

function leaseOf(name: string, answer: Answer, { clock }: KeeperDeps): Lease<Secret> {
  const { access_token, expires_in } = members(answer.text)
  const token = textOf(access_token)
  if (!answer.isOk || !token || typeof expires_in !== 'number')
    throw new SignerError(
      `${name} gave no token: ${answer.isOk ? 'its answer lacks a member' : `status ${answer.status}: ${excerpt(answer.text)}`}.`,
    )
  return { value: new Secret(token), endsAt: addSeconds(clock.now(), expires_in) }
}
