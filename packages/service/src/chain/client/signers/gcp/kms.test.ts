import { createPublicKey, createVerify, generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import secp256k1 from 'secp256k1'
import { createPublicClient, http, recoverTypedDataAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testChain } from '../../../../../test/world/chain.ts'
import { type Hex, USDC } from '../../../../base/kernel/assets.ts'
import { randomHex } from '../../../../base/kernel/secrets.ts'
import { authorizationTypedData } from '../../../../base/protocols/evm/eip3009/authorization.ts'
import { transferWithAuthorizationData } from '../../../../base/protocols/evm/eip3009/calldata.ts'
import { mine, mintUsdc, waitMined } from '../../../../run/embedded/dev/chain.ts'
import type { Signer } from '../signer.ts'
import { gcpKmsSigner } from './kms.ts'

const VERSION =
  'projects/my-shop/locations/europe-west3/keyRings/purser/cryptoKeys/treasury/cryptoKeyVersions/1'
const EMAIL = 'purser@my-shop.iam.gserviceaccount.com'
const USDC_HERE = USDC[84_532]!
const account = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** The fake keeper's contents and the requests it received. */
type Keeper = {
  key: Hex
  algorithm: string
  /** The access token that the keeper issues and accepts. */
  token: string
  first: { status: number; body: string }[]
  calls: string[]
  highS: boolean
}

let keeper: Keeper
let server: Server
let host: string
let folder: string
let file: string
const at = new Date('2026-05-04T10:20:30Z')
let now = at

beforeEach(async () => {
  now = at
  keeper = {
    key: randomHex(32),
    algorithm: 'EC_SIGN_SECP256K1_SHA256',
    token: 'ya29.first',
    first: [],
    calls: [],
    highS: false,
  }
  server = createServer((request, response) => {
    answer(request).then(
      ({ status, body }) => response.writeHead(status).end(body),
      (error) => response.destroy(error),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(server.address() as { port: number }).port}`
  folder = await mkdtemp(join(tmpdir(), 'keeper-'))
  file = join(folder, 'account.json')
  await writeAccount({})
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true })
})

const writeAccount = (changes: object) =>
  writeFile(
    file,
    JSON.stringify({
      type: 'service_account',
      private_key_id: 'key 1',
      private_key: account.privateKey.export({ format: 'pem', type: 'pkcs8' }),
      client_email: EMAIL,
      token_uri: `http://${host}/token`,
      ...changes,
    }),
  )

const open = (env: Record<string, string | undefined> = { GOOGLE_APPLICATION_CREDENTIALS: file }) =>
  gcpKmsSigner(
    { kind: 'gcp-kms', keyVersion: VERSION, endpoint: `http://${host}` },
    { fetch, clock: { now: () => now }, env, pauseMs: 1 },
  )

const fault = (code: number, status: string, message: string) => ({
  status: code,
  body: JSON.stringify({ error: { code, message, status } }),
})
const ok = (body: object) => ({ status: 200, body: JSON.stringify(body) })

async function answer(request: IncomingMessage): Promise<{ status: number; body: string }> {
  let body = ''
  for await (const chunk of request) body += chunk
  const path = `${request.method} ${request.url}`
  keeper.calls.push(path)
  if (path === 'POST /token') return answerToken(new URLSearchParams(body))
  if (path === 'GET /computeMetadata/v1/instance/service-accounts/default/token')
    return request.headers['metadata-flavor'] === 'Google'
      ? ok({ access_token: keeper.token, expires_in: 3599, token_type: 'Bearer' })
      : { status: 403, body: 'Missing Metadata-Flavor:Google header.' }
  if (request.headers.authorization !== `Bearer ${keeper.token}`)
    return fault(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.')
  const early = keeper.first.shift()
  if (early) return early
  if (path === `GET /v1/${VERSION}/publicKey`)
    return ok({ pem: pem(), algorithm: keeper.algorithm, name: VERSION, protectionLevel: 'HSM' })
  if (path === `POST /v1/${VERSION}:asymmetricSign`)
    return ok({ name: VERSION, signature: sign(JSON.parse(body).digest.sha256) })
  return fault(404, 'NOT_FOUND', `${path} not found.`)
}

/** Google's side of RFC 7523: accepts only a fresh JWT, signed by the account's own key, for this very server. */
function answerToken(form: URLSearchParams): { status: number; body: string } {
  const [head = '', payload = '', signature = ''] = (form.get('assertion') ?? '').split('.')
  const [header, claims] = [head, payload].map((part) =>
    JSON.parse(Buffer.from(part, 'base64url').toString()),
  )
  const isSigned = createVerify('RSA-SHA256')
    .update(`${head}.${payload}`)
    .verify(account.publicKey, signature, 'base64url')
  const iat = now.getTime() / 1000
  const expected = {
    iss: EMAIL,
    scope: 'https://www.googleapis.com/auth/cloudkms',
    aud: `http://${host}/token`,
    iat,
    exp: iat + 3600,
  }
  const isRight =
    form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer' &&
    JSON.stringify(header) === '{"alg":"RS256","typ":"JWT","kid":"key 1"}' &&
    JSON.stringify(claims) === JSON.stringify(expected)
  return isSigned && isRight
    ? ok({ access_token: keeper.token, expires_in: 3599, token_type: 'Bearer' })
    : {
        status: 400,
        body: '{"error":"invalid_grant","error_description":"Invalid JWT Signature."}',
      }
}

const keyBytes = () => Buffer.from(keeper.key.slice(2), 'hex')

function pem(): string {
  const point = Buffer.from(secp256k1.publicKeyCreate(keyBytes(), false))
  const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString('base64url'),
  )
  const key = createPublicKey({ key: { kty: 'EC', crv: 'secp256k1', x, y }, format: 'jwk' })
  return key.export({ format: 'pem', type: 'spki' }) as string
}

function sign(sha256: string): string {
  const { signature } = secp256k1.ecdsaSign(Buffer.from(sha256, 'base64'), keyBytes())
  if (keeper.highS) signature.set(secp256k1.privateKeyNegate(signature.slice(32)), 32)
  return Buffer.from(secp256k1.signatureExport(signature)).toString('base64')
}

const authorizationBy = (signer: Signer) => ({
  from: signer.address,
  to: randomHex(20),
  value: 1_000_000n,
  validAfter: 0n,
  validBefore: 2n ** 40n,
  nonce: randomHex(32),
})

async function signOne(signer: Signer): Promise<void> {
  const typedData = authorizationTypedData(USDC_HERE, authorizationBy(signer))
  const signature = await signer.signTypedData(typedData)
  expect(await recoverTypedDataAddress({ ...typedData, signature })).toBe(signer.address)
}
const count = (path: string) => keeper.calls.filter((call) => call.includes(path)).length

describe('signing', () => {
  test('recovers to the address of the key, whichever s the keeper chose', async () => {
    const signer = await open()
    expect(signer.address).toBe(privateKeyToAddress(keeper.key))
    for (const highS of [false, true]) {
      keeper.highS = highS
      for (let i = 0; i < 8; i++) await signOne(signer)
    }
    expect(count('publicKey')).toBe(1)
    expect(count('/token')).toBe(1)
  })

  test('makes an authorization that the token takes', async () => {
    const chain = testChain()
    const signer = await open()
    const hash = await mintUsdc({ ...chain, to: signer.address, amount: 1_000_000n })
    await mine({ ...chain, blocks: 1 })
    await waitMined({ ...chain, hash, timeoutMs: 60_000 })
    const authorization = authorizationBy(signer)
    const signature = await signer.signTypedData(authorizationTypedData(USDC_HERE, authorization))
    const rpc = createPublicClient({ transport: http(chain.rpcUrl) })
    const data = transferWithAuthorizationData(authorization, signature)
    await expect(rpc.call({ to: USDC_HERE.contract, data })).resolves.toEqual({ data: undefined })
    const changed = transferWithAuthorizationData({ ...authorization, value: 1n }, signature)
    await expect(rpc.call({ to: USDC_HERE.contract, data: changed })).rejects.toThrow(/invalid sig/)
  })

  test('by another key than at the start is not used', async () => {
    const signer = await open()
    keeper.key = randomHex(32)
    await expect(signOne(signer)).rejects.toThrow(/is not by the key of 0x/)
  })
})

describe('the token', () => {
  test('of the machine is used where no account is named', async () => {
    await signOne(await open({ GCE_METADATA_HOST: host }))
    expect(count('computeMetadata')).toBe(1)
  })

  test('is asked for again before it ends, once for all who wait', async () => {
    const signer = await open()
    now = new Date(at.getTime() + 57 * 60_000)
    keeper.token = 'ya29.second'
    await Promise.all([signOne(signer), signOne(signer), signOne(signer)])
    expect(count('/token')).toBe(2)
  })

  test('that Google no longer takes is renewed at once', async () => {
    const signer = await open()
    keeper.token = 'ya29.second'
    await signOne(signer)
    expect(count('/token')).toBe(2)
  })

  test('is refused in words for a wrong account', async () => {
    await writeAccount({ client_email: 'other@example.com' })
    await expect(open()).rejects.toThrow(
      /Google’s token service gave no token: status 400.*Invalid JWT/,
    )
    await writeAccount({ private_key: 'hush' })
    const error = (await open().catch((caught: unknown) => caught)) as Error
    expect(error.message).toMatch(/The private key in .* cannot be read/)
    expect(`${error.message}${String(error.cause)}`).not.toContain('hush')
    await writeAccount({ type: 'external_account' })
    await expect(open()).rejects.toThrow(/is not the key of a service account/)
    await expect(open({ GOOGLE_APPLICATION_CREDENTIALS: `${file}2` })).rejects.toThrow(
      /which GOOGLE_APPLICATION_CREDENTIALS names, cannot be read/,
    )
  })
})

test('a keeper that is busy is asked again, and given up in words', async () => {
  const signer = await open()
  const busy = fault(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded')
  keeper.first = [busy, fault(503, 'UNAVAILABLE', 'later'), busy]
  await signOne(signer)
  keeper.first = Array.from({ length: 5 }, () => busy)
  await expect(signOne(signer)).rejects.toThrow(
    /Google Cloud KMS did not answer in 5 attempts. The last: status 429: .*Quota exceeded/,
  )
})

test('a key that cannot be used is refused in words', async () => {
  keeper.first = [fault(403, 'PERMISSION_DENIED', 'Permission denied.')]
  await expect(open()).rejects.toThrow(
    `Google Cloud KMS refused publicKey with the key ${VERSION}: PERMISSION_DENIED: Permission denied. Give this account the role`,
  )
  keeper.first = [fault(400, 'FAILED_PRECONDITION', 'is not enabled, current state is: DISABLED.')]
  await expect(open()).rejects.toThrow(/DISABLED\. Enable this version of the key/)
  keeper.algorithm = 'EC_SIGN_P256_SHA256'
  await expect(open()).rejects.toThrow(/is for EC_SIGN_P256_SHA256: make one for EC_SIGN_SECP256K1/)
})
