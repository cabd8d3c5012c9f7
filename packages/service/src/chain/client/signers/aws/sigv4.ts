import { createHmac } from 'node:crypto'
import { type Secret, sha256Hex } from '../../../../base/kernel/secrets.ts'

export type AwsCredentials = {
  accessKeyId: string
  secretAccessKey: Secret
  /** Only with temporary keys. */
  sessionToken?: Secret
}
type AwsRequest = {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}
type Scope = { region: string; service: string }

const ALGORITHM = 'AWS4-HMAC-SHA256'

/**
 * The request's headers with those that sign it (AWS Signature Version 4): date, session token, authorization. The host
 * is signed too; the HTTP client sends it.
 */
export function signAwsRequest(
  request: AwsRequest,
  { region, service }: Scope,
  credentials: AwsCredentials,
  at: Date,
): Record<string, string> {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials
  const date = at.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const sent: Record<string, string> = {
    ...request.headers,
    'x-amz-date': date,
    ...(sessionToken ? { 'x-amz-security-token': sessionToken.reveal() } : {}),
  }
  const url = new URL(request.url)
  const { canonical, signed } = canonicalHeaders({ ...sent, host: url.host })
  const canonicalRequest = [
    request.method,
    url.pathname.split('/').map(encode).join('/'),
    canonicalQuery(url),
    canonical,
    signed,
    sha256Hex(request.body),
  ].join('\n')
  const scope = `${date.slice(0, 8)}/${region}/${service}/aws4_request`
  const toSign = [ALGORITHM, date, scope, sha256Hex(canonicalRequest)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secretAccessKey.reveal()}`)
  const signature = hmac(key, toSign).toString('hex')
  sent.authorization = `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`
  return sent
}

const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()

function canonicalHeaders(headers: Record<string, string>): { canonical: string; signed: string } {
  const sorted = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/ +/g, ' ')] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    canonical: sorted.map(([name, value]) => `${name}:${value}\n`).join(''),
    signed: sorted.map(([name]) => name).join(';'),
  }
}

const canonicalQuery = (url: URL): string =>
  [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')

/** RFC 3986 encoding, including the characters that JavaScript leaves as they are. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
