import type { Secret } from '../../../../base/kernel/secrets.ts'
import { type Answer, ask, excerpt, type KeeperDeps, members, textOf } from '../ask.ts'
import type { Leased } from '../lease.ts'
import type { GcpKmsReference } from '../reference.ts'
import { addressOfPublicKey, remoteSigner, type Signer } from '../signer.ts'
import { SignerError } from '../signer-error.ts'
import { gcpSession } from './session.ts'

const ENDPOINT = 'https://cloudkms.googleapis.com'
const ALGORITHM = 'EC_SIGN_SECP256K1_SHA256'

/**
 * Signs with a version of a Google Cloud KMS key, which must use the algorithm EC_SIGN_SECP256K1_SHA256. Fetches its
 * public key once, now, so that a service with an unusable key does not start.
 */
export async function gcpKmsSigner(key: GcpKmsReference, deps: KeeperDeps): Promise<Signer> {
  const session = gcpSession(deps)
  const name = `the Google Cloud KMS key ${key.keyVersion}`
  const found = await callKms({ key, deps, session }, 'GET', '/publicKey')
  if (found.algorithm !== ALGORITHM)
    throw new SignerError(
      `The Google Cloud KMS key ${key.keyVersion} is for ${textOf(found.algorithm) || 'an unknown algorithm'}: make one for ${ALGORITHM}, at the protection level HSM.`,
    )
  return remoteSigner({
    name,
    address: addressOfPublicKey(name, textOf(found.pem)),
    async signDigest(digest) {
      // The API asks for a SHA-256 digest but signs any 32 bytes. We check the signature by recovering the key, so the
      // API's checksums would add nothing.
      const body = { digest: { sha256: Buffer.from(digest).toString('base64') } }
      const { signature } = await callKms({ key, deps, session }, 'POST', ':asymmetricSign', body)
      return Buffer.from(textOf(signature), 'base64')
    },
  })
}

type Kms = { key: GcpKmsReference; deps: KeeperDeps; session: Leased<Secret> }

async function callKms(
  { key, deps, session }: Kms,
  method: 'GET' | 'POST',
  operation: string,
  body?: object,
) {
  const request = async () => ({
    method,
    url: `${key.endpoint ?? ENDPOINT}/v1/${key.keyVersion}${operation}`,
    headers: {
      authorization: `Bearer ${(await session.current()).reveal()}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const keeper = { name: 'Google Cloud KMS' }
  let answer = await ask(deps, keeper, request)
  if (answer.status === 401) {
    session.renew()
    answer = await ask(deps, keeper, request)
  }
  if (!answer.isOk) throw refusal(key, operation.slice(1), answer)
  return members(answer.text)
}

const ADVICE: Readonly<Record<string, string>> = {
  PERMISSION_DENIED:
    'Give this account the role Cloud KMS CryptoKey Signer/Verifier (roles/cloudkms.signerVerifier) on the key.',
  NOT_FOUND: 'Check the key’s name and version.',
  FAILED_PRECONDITION: 'Enable this version of the key.',
  UNAUTHENTICATED: 'Check the service account’s key.',
}

function refusal(key: GcpKmsReference, operation: string, answer: Answer): SignerError {
  const { error } = members(answer.text)
  const { status, message } = (error ?? {}) as { status?: unknown; message?: unknown }
  const words = excerpt(textOf(message) || answer.text)
  return new SignerError(
    `Google Cloud KMS refused ${operation} with the key ${key.keyVersion}: ${textOf(status) || `status ${answer.status}`}: ${words} ${ADVICE[textOf(status)] ?? ''}`.trim(),
  )
}
