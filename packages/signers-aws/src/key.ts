import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms'

/** The operator's setting `aws-kms:key?region=…&endpoint=…`, taken apart. */
export type AwsReference = {
  /** A key id, an alias or the ARN of either. */
  key: string
  /** An ARN has it. */
  region?: string | undefined
  /** Replaces the region's own endpoint, e.g. by a VPC endpoint. */
  endpoint?: string | undefined
}

/** A key that AWS KMS holds, as the service signs with it. */
export type AwsKey = {
  /** As the operator knows it. */
  name: string
  /** SPKI, as DER. */
  publicKey: Uint8Array
  /** The DER signature of a 32-byte digest, which is not hashed again. */
  signDigest(digest: Uint8Array): Promise<Uint8Array>
}

const ATTEMPTS = 5
const TIMEOUT_MS = 5_000

/**
 * Fetches the public key once, now, so that a service with an unusable key does not start. Credentials are found as AWS's
 * clients find them. Throws sentences for the operator; those about the reference do not quote it.
 */
export async function openKey(reference: AwsReference): Promise<AwsKey> {
  const { key: KeyId } = reference
  const ask = askerOf({ ...reference, region: regionOf(reference) })
  const found = await ask('GetPublicKey', (kms) => kms.send(new GetPublicKeyCommand({ KeyId })))
  if (found.KeyUsage !== 'SIGN_VERIFY')
    throw new Error(
      `The AWS KMS key ${KeyId} is for ${found.KeyUsage || 'an unknown use'}: make an asymmetric key for SIGN_VERIFY of the kind ECC_SECG_P256K1.`,
    )
  return {
    name: `the AWS KMS key ${KeyId}`,
    publicKey: found.PublicKey ?? new Uint8Array(),
    async signDigest(Message) {
      const input = {
        KeyId,
        Message,
        MessageType: 'DIGEST',
        SigningAlgorithm: 'ECDSA_SHA_256',
      } as const
      const { Signature } = await ask('Sign', (kms) => kms.send(new SignCommand(input)))
      return Signature ?? new Uint8Array()
    },
  }
}

const KEY = /^(mrk-[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|alias\/[\w/-]{1,250})$/
const ARN = /^arn:aws[a-z-]*:kms:([a-z0-9-]+):\d{12}:(?:key\/)?(.+)$/
const REGION = /^[a-z]{2}(-[a-z]+)+-\d$/

function regionOf({ key, region: named }: AwsReference): string {
  const [, arnRegion, short = key] = ARN.exec(key) ?? []
  if (!KEY.test(short))
    throw new Error(
      'Name the AWS KMS key by its id, its alias as alias/name, or its ARN, e.g. aws-kms:alias/treasury?region=eu-west-1.',
    )
  const region = named ?? arnRegion ?? ''
  if (!REGION.test(region) || (arnRegion !== undefined && region !== arnRegion))
    throw new Error('Say the region of the AWS KMS key, e.g. ?region=eu-west-1; an ARN has it.')
  return region
}

type Place = AwsReference & { region: string }

/** Asks the key's KMS. A client keeps its credentials until shortly before they end; if AWS calls them expired, a new one borrows. */
function askerOf(reference: Place) {
  const open = () =>
    new KMSClient({
      region: reference.region,
      ...(reference.endpoint ? { endpoint: reference.endpoint } : {}),
      maxAttempts: ATTEMPTS,
      requestHandler: {
        connectionTimeout: TIMEOUT_MS,
        requestTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS,
        throwOnRequestTimeout: true,
      },
    })
  let client = open()
  return async <T>(operation: string, call: (kms: KMSClient) => Promise<T>): Promise<T> => {
    const used = client
    try {
      return await call(used).catch((error) => {
        if (!nameOf(error).startsWith('ExpiredToken')) throw error
        // One for all whose credentials have ended together.
        if (client === used) client = open()
        return call(client)
      })
    } catch (error) {
      throw refusal(reference, operation, error)
    }
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '')

const ADVICE: Readonly<Record<string, string>> = {
  NotFoundException: 'Check the key’s id and its region.',
  AccessDeniedException: 'Allow this account kms:GetPublicKey and kms:Sign on the key.',
  DisabledException: 'Enable the key.',
  KMSInvalidStateException:
    'The key is disabled or waits to be deleted: enable it, or cancel that.',
  InvalidKeyUsageException: 'Make an asymmetric key for SIGN_VERIFY of the kind ECC_SECG_P256K1.',
  UnsupportedOperationException: 'Make an asymmetric key of the kind ECC_SECG_P256K1.',
  ValidationException: 'Make an asymmetric key of the kind ECC_SECG_P256K1.',
  UnrecognizedClientException: 'Check the AWS access key.',
  InvalidSignatureException: 'Check the AWS secret access key and this machine’s clock.',
  ExpiredTokenException: 'Renew the AWS session token.',
  CredentialsProviderError:
    'There are no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run where AWS gives the machine or container a role.',
}
const MOST_WORDS = 300

function refusal({ key, region }: Place, operation: string, error: unknown): Error {
  const { $metadata } = error as { $metadata?: { attempts?: number; httpStatusCode?: number } }
  // A proxy's answer is no JSON: the client says so, with what it got.
  const name = error instanceof SyntaxError ? `status ${$metadata?.httpStatusCode}` : nameOf(error)
  const [text = ''] = (error instanceof Error ? error.message : '').split('Deserialization error')
  const words = text.replace(/\s+/g, ' ').trim().slice(0, MOST_WORDS) || 'no words'
  const attempts = $metadata?.attempts ?? 1
  return new Error(
    `${attempts > 1 ? `In ${attempts} attempts, ` : ''}AWS KMS refused ${operation} with the key ${key} in ${region}: ${name}: ${words}. ${ADVICE[name] ?? ''}`.trim(),
    { cause: error },
  )
}
