import { type Answer, ask, excerpt, type KeeperDeps, members, textOf } from '../ask.ts'
import type { Leased } from '../lease.ts'
import type { AwsKmsReference } from '../reference.ts'
import { addressOfPublicKey, remoteSigner, type Signer } from '../signer.ts'
import { SignerError } from '../signer-error.ts'
import { awsSession } from './session.ts'
import { type AwsCredentials, signAwsRequest } from './sigv4.ts'

/** Throttling comes as status 400. Internal errors and a key that is not yet cached elsewhere come as 500. */
const BUSY =
  /Throttl|TooManyRequests|RequestLimitExceeded|KMSInternal|DependencyTimeout|KeyUnavailable/
const EXPIRED = /ExpiredToken/

/**
 * Signs with an asymmetric AWS KMS key of the kind ECC_SECG_P256K1. Fetches its public key once, now, so that a service
 * with an unusable key does not start.
 */
export async function awsKmsSigner(key: AwsKmsReference, deps: KeeperDeps): Promise<Signer> {
  const session = awsSession(key.region, deps)
  const name = `the AWS KMS key ${key.keyId}`
  const call = (operation: string, input: Record<string, string>) =>
    callKms({ key, deps, session }, operation, input)
  const found = await call('GetPublicKey', { KeyId: key.keyId })
  const usage = textOf(found.KeyUsage)
  if (usage !== 'SIGN_VERIFY')
    throw new SignerError(
      `The AWS KMS key ${key.keyId} is for ${usage || 'an unknown use'}: make an asymmetric key for SIGN_VERIFY of the kind ECC_SECG_P256K1.`,
    )
  return remoteSigner({
    name,
    address: addressOfPublicKey(name, Buffer.from(textOf(found.PublicKey), 'base64')),
    async signDigest(digest) {
      const { Signature } = await call('Sign', {
        KeyId: key.keyId,
        Message: Buffer.from(digest).toString('base64'),
        MessageType: 'DIGEST',
        SigningAlgorithm: 'ECDSA_SHA_256',
      })
      return Buffer.from(textOf(Signature), 'base64')
    },
  })
}

type Kms = { key: AwsKmsReference; deps: KeeperDeps; session: Leased<AwsCredentials> }

async function callKms({ key, deps, session }: Kms, operation: string, input: object) {
  const { region } = key
  const keeper = {
    name: `AWS KMS in ${region}`,
    isBusy: (answer: Answer) => BUSY.test(errorType(answer)),
  }
  const request = async () => {
    const call = {
      method: 'POST',
      url: `${key.endpoint ?? endpointOf(region)}/`,
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `TrentService.${operation}`,
      },
      body: JSON.stringify(input),
    }
    const credentials = await session.current()
    const scope = { region, service: 'kms' }
    return { ...call, headers: signAwsRequest(call, scope, credentials, deps.clock.now()) }
  }
  let answer = await ask(deps, keeper, request)
  if (EXPIRED.test(errorType(answer))) {
    session.renew()
    answer = await ask(deps, keeper, request)
  }
  if (!answer.isOk) throw refusal(key, operation, answer)
  return members(answer.text)
}

const endpointOf = (region: string): string =>
  `https://kms.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`

/** E.g. `NotFoundException`; some answers put a namespace before it. */
const errorType = ({ isOk, text }: Answer): string =>
  isOk ? '' : (textOf(members(text).__type).split('#').at(-1) ?? '')

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
}

function refusal(key: AwsKmsReference, operation: string, answer: Answer): SignerError {
  const type = errorType(answer)
  const body = members(answer.text)
  const words = textOf(body.message ?? body.Message) || (type ? '' : excerpt(answer.text))
  const answered = [type || `status ${answer.status}`, excerpt(words)].filter(
    (part) => part !== 'no words',
  )
  return new SignerError(
    `AWS KMS refused ${operation} with the key ${key.keyId} in ${key.region}: ${answered.join(': ')}. ${ADVICE[type] ?? ''}`.trim(),
  )
}
