import { createPublicKey, createVerify, generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import secp256k1 from 'secp256k1'
import { createPublicClient, http, recoverTypedDataAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Hex, USDC } from '../../service/src/base/kernel/assets.ts'
import { randomHex } from '../../service/src/base/kernel/secrets.ts'
import { authorizationTypedData } from '../../service/src/base/protocols/evm/eip3009/authorization.ts'
import { transferWithAuthorizationData } from '../../service/src/base/protocols/evm/eip3009/calldata.ts'
import { openSigner } from '../../service/src/chain/client/signers/open.ts'
import { parseKeyReference } from '../../service/src/chain/client/signers/reference.ts'
import type { Signer } from '../../service/src/chain/client/signers/signer.ts'
import { mine, mintUsdc, waitMined } from '../../service/src/run/embedded/dev/chain.ts'
import { testChain } from '../../service/test/world/chain.ts'
import { openKey } from './key.ts'

const VERSION =
  'projects/my-shop/locations/europe-west3/keyRings/purser/cryptoKeys/treasury/cryptoKeyVersions/1'
const EMAIL = 'purser@my-shop.iam.gserviceaccount.com'
const USDC_HERE = USDC[84_532]!
const account = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** The fake keeper's contents and the requests it received. */
type Keeper = {
  key: Hex
  algorithm: string
  /** The access token that the machine issues and the keeper accepts, beside those that the account signs. */
  token: string
  tokenSeconds: number
  first: { status: number; body: string }[]
  calls: string[]
  highS: boolean
}

let keeper: Keeper
let server: Server
let host: string
let folder: string
let file: string

beforeEach(async () => {
  keeper = {
    key: randomHex(32),
    algorithm: 'EC_SIGN_SECP256K1_SHA256',
    token: 'ya29.first',
    tokenSeconds: 3599,
    first: [],
    calls: [],
    highS: false,
  }
  server = createServer((request, response) => {
    answer(request).then(
      ({ status, body }) =>
        response
          .writeHead(status, { 'metadata-flavor': 'Google', 'content-type': 'application/json' })
          .end(body),
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
  vi.unstubAllEnvs()
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
      ...changes,
    }),
  )

/** Opens the key as the service does: by its reference, in the process's environment. */
async function open(env: Record<string, string> = ACCOUNT()): Promise<Signer> {
  const others = { GOOGLE_APPLICATION_CREDENTIALS: '', CLOUDSDK_CONFIG: join(folder, 'nothing') }
  for (const [name, value] of Object.entries({ ...others, ...env })) vi.stubEnv(name, value)
  const reference = parseKeyReference(`gcp-kms:${VERSION}?endpoint=http://${host}`)
  if (reference.kind === 'fault') throw new Error(reference.fault)
  return openSigner(reference, {})
}
const ACCOUNT = () => ({ GOOGLE_APPLICATION_CREDENTIALS: file })
const MACHINE = () => ({ GCE_METADATA_HOST: host, METADATA_SERVER_DETECTION: 'assume-present' })

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
  if (path.startsWith('GET /computeMetadata/v1/instance/service-accounts/default/token'))
    return request.headers['metadata-flavor'] === 'Google'
      ? ok({ access_token: keeper.token, expires_in: keeper.tokenSeconds, token_type: 'Bearer' })
      : { status: 403, body: 'Missing Metadata-Flavor:Google header.' }
  const [, bearer = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
  if (bearer !== keeper.token && !isOfAccount(bearer))
    return fault(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.')
  const early = keeper.first.shift()
  if (early) return early
  if (path === `GET /v1/${VERSION}/publicKey`)
    return ok({ pem: pem(), algorithm: keeper.algorithm, name: VERSION, protectionLevel: 'HSM' })
  if (path === `POST /v1/${VERSION}:asymmetricSign`)
    return ok({ name: VERSION, signature: sign(JSON.parse(body).digest.sha256) })
  return fault(404, 'NOT_FOUND', `${path} not found.`)
}

/** A token that the account's own key has signed, for this API and an hour from now. */
function isOfAccount(token: string): boolean {
  const [head = '', payload = '', signature = ''] = token.split('.')
  const isSigned = createVerify('RSA-SHA256')
    .update(`${head}.${payload}`)
    .verify(account.publicKey, signature, 'base64url')
  if (!isSigned) return false
  const [header, { iat, ...claims }] = [head, payload].map((part) =>
    JSON.parse(Buffer.from(part, 'base64url').toString()),
  )
  expect(header).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key 1' })
  const scope = 'https://www.googleapis.com/auth/cloudkms'
  expect(claims).toEqual({ iss: EMAIL, sub: EMAIL, scope, exp: iat + 3600 })
  return Math.abs(iat - Date.now() / 1000) < 60
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
    const signer = await open(MACHINE())
    await signOne(signer)
    expect(count('/token')).toBe(1)
  })

  test('is asked for again before it ends, once for all who wait', async () => {
    keeper.tokenSeconds = 240
    const signer = await open(MACHINE())
    keeper.token = 'ya29.second'
    keeper.tokenSeconds = 3599
    await Promise.all([signOne(signer), signOne(signer), signOne(signer)])
    expect(count('/token')).toBe(2)
  })

  test('that Google no longer takes is renewed at once', async () => {
    const signer = await open(MACHINE())
    keeper.token = 'ya29.second'
    await signOne(signer)
    expect(count('/token')).toBe(2)
  })

  test('of a wrong account is refused in words', async () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const private_key = other.privateKey.export({ format: 'pem', type: 'pkcs8' })
    await writeAccount({ private_key })
    await expect(open()).rejects.toThrow(/UNAUTHENTICATED.*Check the service account’s key/)
    await writeAccount({ private_key: 'hush' })
    const error = (await open().catch((caught: unknown) => caught)) as Error
    expect(error).toMatchObject({ name: 'SignerError' })
    expect(`${error.message}${String(error.cause)}`).not.toContain('hush')
    await expect(open({ GOOGLE_APPLICATION_CREDENTIALS: `${file}2` })).rejects.toThrow(
      /does not exist/,
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
    /Google Cloud KMS refused asymmetricSign with .*: RESOURCE_EXHAUSTED: Quota exceeded/,
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

test.each(['treasury', VERSION.slice(0, -2), `${VERSION}/../2`, `${VERSION}?x`])(
  'a name that is not a version of a key is refused, and not quoted: %s',
  async (key) => {
    const { message } = (await openKey({ key }).catch((error: unknown) => error)) as Error
    expect(message).toMatch(/^Name the version of the Google Cloud KMS key in full/)
    expect(message).not.toContain(key)
    await expect(openKey({ key: VERSION, region: 'eu' })).rejects.toThrow(/without a region/)
  },
)
