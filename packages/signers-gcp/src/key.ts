import { GoogleAuth } from 'google-auth-library'

/** The operator's setting `gcp-kms:key?endpoint=…`, taken apart. */
export type GcpReference = {
  /** `projects/…/locations/…/keyRings/…/cryptoKeys/…/cryptoKeyVersions/…` */
  key: string
  endpoint?: string | undefined
  /** The key's name has its place. */
  region?: string | undefined
}

/** A key that Google Cloud KMS holds, as the service signs with it. */
export type GcpKey = {
  /** As the operator knows it. */
  name: string
  /** SPKI, as PEM. */
  publicKey: string
  /** The DER signature of a 32-byte digest, which is not hashed again. */
  signDigest(digest: Uint8Array): Promise<Uint8Array>
}

const KEY =
  /^projects\/[\w:.-]+\/locations\/[\w-]+\/keyRings\/[\w-]+\/cryptoKeys\/[\w-]+\/cryptoKeyVersions\/\d+$/
const ENDPOINT = 'https://cloudkms.googleapis.com'
const SCOPE = 'https://www.googleapis.com/auth/cloudkms'
const ALGORITHM = 'EC_SIGN_SECP256K1_SHA256'
const ATTEMPTS = 5
const TIMEOUT_MS = 5_000

/**
 * Fetches the public key once, now, so that a service with an unusable key does not start. Credentials are found as Google's
 * clients find them. Throws sentences for the operator; those about the reference do not quote it.
 */
export async function openKey({ key, region, endpoint }: GcpReference): Promise<GcpKey> {
  if (!KEY.test(key) || region !== undefined)
    throw new Error(
      'Name the version of the Google Cloud KMS key in full, without a region: gcp-kms:projects/…/locations/…/keyRings/…/cryptoKeys/…/cryptoKeyVersions/1.',
    )
  const ask = askerOf(key, endpoint ?? ENDPOINT)
  const found = await ask<{ algorithm?: string; pem?: string }>('GET', '/publicKey')
  if (found.algorithm !== ALGORITHM)
    throw new Error(
      `The Google Cloud KMS key ${key} is for ${found.algorithm || 'an unknown algorithm'}: make one for ${ALGORITHM}, at the protection level HSM.`,
    )
  return {
    name: `the Google Cloud KMS key ${key}`,
    publicKey: found.pem ?? '',
    async signDigest(digest) {
      // The API asks for a SHA-256 digest but signs any 32 bytes. The service checks the signature by recovering the key, so
      // the API's checksums would add nothing.
      const data = { digest: { sha256: Buffer.from(digest).toString('base64') } }
      const { signature } = await ask<{ signature?: string }>('POST', ':asymmetricSign', data)
      return Buffer.from(signature ?? '', 'base64')
    },
  }
}

function askerOf(key: string, endpoint: string) {
  // Without the project's id the library would ask the machine and gcloud for one.
  const [, projectId = ''] = key.split('/')
  const auth = new GoogleAuth({
    scopes: SCOPE,
    projectId,
    // A token that Google no longer takes is borrowed anew.
    clientOptions: { forceRefreshOnFailure: true },
  })
  // As Google's generated clients: a service account signs its own token, so that no token service is asked.
  auth.useJWTAccessWithScope = true
  return async <T>(method: 'GET' | 'POST', operation: string, data?: object): Promise<T> => {
    try {
      const { data: found } = await auth.request<T>({
        url: `${endpoint}/v1/${key}${operation}`,
        method,
        responseType: 'json',
        ...(data ? { data } : {}),
        timeout: TIMEOUT_MS,
        // A redirect would carry the token to another host.
        redirect: 'error',
        retryConfig: {
          retry: ATTEMPTS - 1,
          noResponseRetries: ATTEMPTS - 1,
          httpMethodsToRetry: ['GET', 'POST'],
        },
      })
      return found
    } catch (error) {
      throw refusal(key, operation.slice(1), error)
    }
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  PERMISSION_DENIED:
    'Give this account the role Cloud KMS CryptoKey Signer/Verifier (roles/cloudkms.signerVerifier) on the key.',
  NOT_FOUND: 'Check the key’s name and version.',
  FAILED_PRECONDITION: 'Enable this version of the key.',
  UNAUTHENTICATED: 'Check the service account’s key.',
}
const MOST_WORDS = 300

type Refused = { response?: { status?: number; data?: { error?: { status?: string } } } }

function refusal(key: string, operation: string, error: unknown): Error {
  const { response } = error as Refused
  const status = response?.data?.error?.status ?? ''
  const words = (error instanceof Error ? error.message : '').replace(/\s+/g, ' ').trim()
  const answered = status || (response?.status ? `status ${response.status}` : 'no answer')
  return new Error(
    `Google Cloud KMS refused ${operation} with the key ${key}: ${answered}: ${words.slice(0, MOST_WORDS) || 'no words'} ${ADVICE[status] ?? ''}`.trim(),
    { cause: error },
  )
}
