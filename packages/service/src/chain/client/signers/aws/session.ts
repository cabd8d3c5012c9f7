import { readFile } from 'node:fs/promises'
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
import type { AwsCredentials } from './sigv4.ts'

/**
 * The credentials that AWS's own clients would find, in the same order: the environment's keys, a web identity (EKS), a
 * container's (ECS, EKS Pod Identity), the machine's (EC2). Profiles in ~/.aws are not read.
 */
export const awsSession = (region: string, deps: KeeperDeps): Leased<AwsCredentials> =>
  leased(sourceOf(region, deps), deps.clock)

function sourceOf(region: string, deps: KeeperDeps): () => Promise<Lease<AwsCredentials>> {
  const { env } = deps
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (accessKeyId && secretAccessKey) {
    const token = env.AWS_SESSION_TOKEN
    const credentials = {
      accessKeyId,
      secretAccessKey: new Secret(secretAccessKey),
      ...(token ? { sessionToken: new Secret(token) } : {}),
    }
    return async () => ({ value: credentials, endsAt: undefined })
  }
  if (env.AWS_WEB_IDENTITY_TOKEN_FILE && env.AWS_ROLE_ARN) return () => assumeRole(region, deps)
  if (env.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI || env.AWS_CONTAINER_CREDENTIALS_FULL_URI)
    return () => askContainer(deps)
  if (env.AWS_EC2_METADATA_DISABLED !== 'true') return () => askMachine(deps)
  throw new SignerError(
    'There are no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run where AWS gives the machine or container a role.',
  )
}

async function assumeRole(region: string, deps: KeeperDeps): Promise<Lease<AwsCredentials>> {
  const { env } = deps
  const token = await readToken(env.AWS_WEB_IDENTITY_TOKEN_FILE ?? '')
  const suffix = region.startsWith('cn-') ? '.cn' : ''
  const url = env.AWS_ENDPOINT_URL_STS ?? `https://sts.${region}.amazonaws.com${suffix}`
  const body = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: env.AWS_ROLE_ARN ?? '',
    RoleSessionName: env.AWS_ROLE_SESSION_NAME ?? 'purser',
    WebIdentityToken: token,
  }).toString()
  const answer = await ask(deps, { name: 'AWS STS' }, () => ({
    method: 'POST',
    url: `${url}/`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  }))
  // Keys, tokens and dates have no character that XML escapes.
  const element = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(answer.text)?.[1]
  return leaseOf('AWS STS', answer, {
    AccessKeyId: element('AccessKeyId'),
    SecretAccessKey: element('SecretAccessKey'),
    Token: element('SessionToken'),
    Expiration: element('Expiration'),
  })
}

const CONTAINER_HOST = 'http://169.254.170.2'

async function askContainer(deps: KeeperDeps): Promise<Lease<AwsCredentials>> {
  const { env } = deps
  const relative = env.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI
  const url = relative
    ? `${CONTAINER_HOST}${relative}`
    : (env.AWS_CONTAINER_CREDENTIALS_FULL_URI ?? '')
  const file = env.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE
  const token = file ? await readToken(file) : env.AWS_CONTAINER_AUTHORIZATION_TOKEN
  const name = 'The container’s AWS credentials service'
  const answer = await ask(deps, near(name), () => ({
    method: 'GET',
    url,
    headers: token ? { authorization: token } : {},
  }))
  return leaseOf(name, answer, members(answer.text))
}

const METADATA_HOST = 'http://169.254.169.254'
const METADATA_TOKEN_SECONDS = '300'

/** The instance metadata service, version 2. */
async function askMachine(deps: KeeperDeps): Promise<Lease<AwsCredentials>> {
  const host = deps.env.AWS_EC2_METADATA_SERVICE_ENDPOINT ?? METADATA_HOST
  const name =
    'No AWS credentials are in the environment, and the metadata service of the machine (EC2)'
  const call = async (method: string, path: string, headers: Record<string, string>) => {
    const answer = await ask(deps, near(name), () => ({ method, url: `${host}${path}`, headers }))
    if (!answer.isOk) throw refused(name, answer)
    return answer
  }
  const { text: token } = await call('PUT', '/latest/api/token', {
    'x-aws-ec2-metadata-token-ttl-seconds': METADATA_TOKEN_SECONDS,
  })
  const headers = { 'x-aws-ec2-metadata-token': token }
  const folder = '/latest/meta-data/iam/security-credentials/'
  const { text: role } = await call('GET', folder, headers)
  const answer = await call('GET', folder + encodeURIComponent(role.trim()), headers)
  return leaseOf(name, answer, members(answer.text))
}

const near = (name: string) => ({ name, timeoutMs: NEAR_TIMEOUT_MS })

async function readToken(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (cause) {
    throw new SignerError(`The AWS token in the file ${path} cannot be read.`, { cause })
  }
}

type Given = {
  AccessKeyId?: unknown
  SecretAccessKey?: unknown
  Token?: unknown
  Expiration?: unknown
}

function leaseOf(name: string, answer: Answer, given: Given): Lease<AwsCredentials> {
  const [accessKeyId, secret] = [textOf(given.AccessKeyId), textOf(given.SecretAccessKey)]
  if (!answer.isOk || !accessKeyId || !secret) throw refused(name, answer)
  const endsAt = new Date(textOf(given.Expiration))
  const credentials = {
    accessKeyId,
    secretAccessKey: new Secret(secret),
    sessionToken: new Secret(textOf(given.Token)),
  }
  return { value: credentials, endsAt: Number.isNaN(endsAt.getTime()) ? undefined : endsAt }
}

/** A successful answer that lacks one member may hold the other members, which are secret, so it is not quoted. */
const refused = (name: string, { isOk, status, text }: Answer): SignerError =>
  new SignerError(
    `${name} gave no credentials: ${isOk ? 'its answer lacks a member' : `status ${status}: ${excerpt(text)}`}.`,
  )
