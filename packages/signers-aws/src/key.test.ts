import { createHmac, createPublicKey } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import secp256k1 from 'secp256k1'
import { createPublicClient, http, recoverTransactionAddress, recoverTypedDataAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Hex, USDC } from '../../service/src/base/kernel/assets.ts'
import { randomHex, sha256Hex } from '../../service/src/base/kernel/secrets.ts'
import { erc20Abi } from '../../service/src/base/protocols/evm/eip3009/abi.ts'
import { authorizationTypedData } from '../../service/src/base/protocols/evm/eip3009/authorization.ts'
import { transferWithAuthorizationData } from '../../service/src/base/protocols/evm/eip3009/calldata.ts'
import { openSigner } from '../../service/src/chain/client/signers/open.ts'
import { parseKeyReference } from '../../service/src/chain/client/signers/reference.ts'
import type { Signer } from '../../service/src/chain/client/signers/signer.ts'
import { fundGas, mine, mintUsdc, waitMined } from '../../service/src/run/embedded/dev/chain.ts'
import { until } from '../../service/test/until.ts'
import { freshAccount, testChain } from '../../service/test/world/chain.ts'

const REGION = 'eu-west-1'
const KEY_ID = '1234abcd-12ab-34cd-56ef-1234567890ab'
const ENV = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'a secret' }
const USDC_HERE = USDC[84_532]!

/** The fake keeper's contents and the requests it received. */
type Keeper = {
  key: Hex
  curve: 'secp256k1' | 'prime256v1'
  usage: string
  secretKey: string
  /** Faulty answers to give before the right ones. */
  first: { status: number; body: string }[]
  calls: string[]
  /** The session token that the keeper accepts. */
  token: string | undefined
  highS: boolean
  /** Answers for other paths, which give credentials. */
  others: Record<string, string>
}

let keeper: Keeper
let server: Server
let endpoint: string
let folder: string

beforeEach(async () => {
  keeper = {
    key: randomHex(32),
    curve: 'secp256k1',
    usage: 'SIGN_VERIFY',
    secretKey: ENV.AWS_SECRET_ACCESS_KEY,
    first: [],
    calls: [],
    token: undefined,
    highS: false,
    others: {},
  }
  folder = await mkdtemp(join(tmpdir(), 'keeper-'))
  server = createServer((request, response) => {
    answer(request).then(
      ({ status, body }) => response.writeHead(status).end(body),
      (error) => response.destroy(error),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(server.address() as { port: number }).port}`
})
afterEach(async () => {
  vi.unstubAllEnvs()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true })
})

/** Opens the key as the service does: by its reference, in the process's environment. */
async function open(env: Record<string, string> = ENV, key = KEY_ID): Promise<Signer> {
  for (const name of Object.keys(process.env).filter((name) => name.startsWith('AWS_')))
    vi.stubEnv(name, undefined)
  const nowhere = join(folder, 'nothing')
  const files = { AWS_CONFIG_FILE: nowhere, AWS_SHARED_CREDENTIALS_FILE: nowhere }
  for (const [name, value] of Object.entries({ ...files, ...env })) vi.stubEnv(name, value)
  const reference = parseKeyReference(`aws-kms:${key}?region=${REGION}&endpoint=${endpoint}`)
  if (reference.kind === 'fault') throw new Error(reference.fault)
  return openSigner(reference, {})
}

const fault = (type: string, message = 'words') => ({
  status: 400,
  body: JSON.stringify({ __type: type, message }),
})

async function answer(request: IncomingMessage): Promise<{ status: number; body: string }> {
  let body = ''
  for await (const chunk of request) body += chunk
  const path = `${request.method} ${request.url}`
  const { first, others } = keeper
  const other = others[path]
  keeper.calls.push(other === undefined ? String(request.headers['x-amz-target']) : path)
  if (other !== undefined) return { status: 200, body: other }
  const wrong = whatIsWrong(request, body)
  if (wrong) return fault(wrong)
  const early = first.shift()
  if (early) return early
  const input = JSON.parse(body)
  if (input.KeyId !== KEY_ID) return fault('com.amazonaws.kms#NotFoundException', 'no such key')
  if (request.headers['x-amz-target'] === 'TrentService.GetPublicKey')
    return {
      status: 200,
      body: JSON.stringify({
        KeyId: `arn:aws:kms:${REGION}:111122223333:key/${KEY_ID}`,
        PublicKey: spki().toString('base64'),
        KeySpec: 'ECC_SECG_P256K1',
        KeyUsage: keeper.usage,
        SigningAlgorithms: ['ECDSA_SHA_256'],
      }),
    }
  const { Message, MessageType, SigningAlgorithm } = input
  if (MessageType !== 'DIGEST' || SigningAlgorithm !== 'ECDSA_SHA_256')
    return fault('ValidationException')
  const Signature = derOf(Buffer.from(Message, 'base64')).toString('base64')
  return { status: 200, body: JSON.stringify({ KeyId: KEY_ID, Signature, SigningAlgorithm }) }
}

/** Checks the request as AWS does, from what arrived. Returns the name of the fault, or undefined. */
function whatIsWrong(request: IncomingMessage, body: string): string | undefined {
  const { headers } = request
  if (headers['content-type'] !== 'application/x-amz-json-1.1') return 'SerializationException'
  const given =
    /^AWS4-HMAC-SHA256 Credential=(\w+)\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/
  const [, , scope = '', names = '', signature] = given.exec(headers.authorization ?? '') ?? []
  const date = String(headers['x-amz-date'])
  if (scope !== `${date.slice(0, 8)}/${REGION}/kms/aws4_request`)
    return 'IncompleteSignatureException'
  if (headers['x-amz-security-token'] !== keeper.token) return 'ExpiredTokenException'
  const lines = names.split(';').map((name) => `${name}:${headers[name]}\n`)
  for (const name of ['host', 'x-amz-date', 'x-amz-target'])
    if (!names.split(';').includes(name)) return 'IncompleteSignatureException'
  const canonical = `POST\n/\n\n${lines.join('')}\n${names}\n${sha256Hex(body)}`
  const text = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${sha256Hex(canonical)}`
  const hmac = (key: string | Buffer, part: string) =>
    createHmac('sha256', key).update(part).digest()
  let key = Buffer.from(`AWS4${keeper.secretKey}`)
  for (const part of scope.split('/')) key = hmac(key, part)
  return hmac(key, text).toString('hex') === signature ? undefined : 'InvalidSignatureException'
}

const keyBytes = () => Buffer.from(keeper.key.slice(2), 'hex')

function spki(): Buffer {
  if (keeper.curve === 'prime256v1')
    return Buffer.from(
      '3059301306072a8648ce3d020106082a8648ce3d030107034200046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
      'hex',
    )
  const point = Buffer.from(secp256k1.publicKeyCreate(keyBytes(), false))
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString('base64url'),
  )
  const key = createPublicKey({ key: { kty: 'EC', crv: 'secp256k1', x: x!, y: y! }, format: 'jwk' })
  return key.export({ format: 'der', type: 'spki' })
}

function derOf(digest: Buffer): Buffer {
  expect(digest).toHaveLength(32)
  const { signature } = secp256k1.ecdsaSign(digest, keyBytes())
  if (keeper.highS) signature.set(secp256k1.privateKeyNegate(signature.slice(32)), 32)
  return Buffer.from(secp256k1.signatureExport(signature))
}

const authorizationBy = (signer: Signer, to: Hex) => ({
  from: signer.address,
  to,
  value: 1_000_000n,
  validAfter: 0n,
  validBefore: 2n ** 40n,
  nonce: randomHex(32),
})

describe('signing', () => {
  test('recovers to the address of the key, whichever s the keeper chose', async () => {
    const signer = await open()
    expect(signer.address).toBe(privateKeyToAddress(keeper.key))
    for (const highS of [false, true]) {
      keeper.highS = highS
      for (let i = 0; i < 8; i++) {
        const typedData = authorizationTypedData(USDC_HERE, authorizationBy(signer, randomHex(20)))
        const signature = await signer.signTypedData(typedData)
        expect(await recoverTypedDataAddress({ ...typedData, signature })).toBe(signer.address)
        expect(BigInt(`0x${signature.slice(66, 130)}`)).toBeLessThan(2n ** 255n)
        expect(signature.slice(130)).toMatch(/^1[bc]$/)
      }
    }
    const serializedTransaction = (await signer.signTransaction({
      type: 'eip1559',
      chainId: 84_532,
      to: signer.address,
      nonce: 7,
      gas: 21_000n,
      maxFeePerGas: 2n,
    })) as `0x02${string}`
    expect(await recoverTransactionAddress({ serializedTransaction })).toBe(signer.address)
    expect(keeper.calls.filter((call) => call.endsWith('GetPublicKey'))).toHaveLength(1)
  })

  test('pays: the token takes the authorization, the chain takes the transaction', async () => {
    const chain = testChain()
    const signer = await open()
    const to = (await freshAccount()).address
    await fundGas({ ...chain, address: signer.address, wei: 10n ** 18n })
    const funded = await mintUsdc({ ...chain, to: signer.address, amount: 1_000_000n })
    await mine({ ...chain, blocks: 1 })
    await waitMined({ ...chain, hash: funded, timeoutMs: 60_000 })
    const authorization = authorizationBy(signer, to)
    const signature = await signer.signTypedData(authorizationTypedData(USDC_HERE, authorization))
    const rpc = createPublicClient({ transport: http(chain.rpcUrl) })
    const raw = await signer.signTransaction({
      type: 'eip1559',
      chainId: chain.chainId,
      nonce: 0,
      to: USDC_HERE.contract,
      data: transferWithAuthorizationData(authorization, signature),
      gas: 200_000n,
      maxFeePerGas: 100n * 10n ** 9n,
      maxPriorityFeePerGas: 10n ** 9n,
    })
    const hash = await rpc.sendRawTransaction({ serializedTransaction: raw })
    await mine({ ...chain, blocks: 1 })
    await waitMined({ ...chain, hash, timeoutMs: 60_000 })
    const read = { abi: erc20Abi, address: USDC_HERE.contract, functionName: 'balanceOf' } as const
    expect(await rpc.readContract({ ...read, args: [to] })).toBe(1_000_000n)
  })

  test('by another key than at the start is not used', async () => {
    const signer = await open()
    keeper.key = randomHex(32)
    await expect(sign(signer)).rejects.toThrow(/is not by the key of 0x/)
  })
})

const sign = (signer: Signer) =>
  signer.signTypedData(authorizationTypedData(USDC_HERE, authorizationBy(signer, randomHex(20))))

describe('a keeper that is busy', () => {
  test.each([
    ['throttling', fault('ThrottlingException')],
    ['an inner error', { status: 500, body: '{"__type":"KMSInternalException"}' }],
    ['a proxy in the way', { status: 503, body: '<html>busy</html>' }],
  ])('is asked again: %s', async (_, busy) => {
    const signer = await open()
    keeper.first = [busy, busy, busy]
    expect(await sign(signer)).toMatch(/^0x/)
    expect(keeper.calls).toHaveLength(5)
  })

  test('for good is given up, in words', async () => {
    const signer = await open()
    keeper.first = Array.from({ length: 9 }, () => fault('ThrottlingException', 'Rate exceeded'))
    await expect(sign(signer)).rejects.toThrow(
      /^In 5 attempts, AWS KMS refused Sign .* in eu-west-1: ThrottlingException: Rate exceeded/,
    )
    expect(keeper.first).toHaveLength(4)
  })

  test('or gone is given up, in words', async () => {
    const signer = await open()
    await new Promise((resolve) => {
      server.closeAllConnections()
      server.close(resolve)
    })
    await expect(sign(signer)).rejects.toThrow(/^In 5 attempts, .*ECONNREFUSED/)
    server.listen(0)
  })

  test('never costs a secret that its headers cannot carry', async () => {
    const complaint = await open({ ...ENV, AWS_SESSION_TOKEN: 'hush\nhush' }).catch(
      (error: Error) => `${error.message} ${String(error.cause)}`,
    )
    expect(complaint).toMatch(/Invalid character in header content/)
    expect(complaint).not.toContain('hush')
  })
})

describe('a key that cannot be used is refused in words', () => {
  const refusal = async (opening: Promise<Signer>) => {
    const error = await opening.catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'SignerError' })
    return (error as Error).message
  }

  test('unknown, forbidden, disabled, and with a wrong secret', async () => {
    expect(await refusal(open(ENV, 'alias/none'))).toBe(
      'AWS KMS refused GetPublicKey with the key alias/none in eu-west-1: NotFoundException: no such key. Check the key’s id and its region.',
    )
    keeper.first = [fault('AccessDeniedException')]
    expect(await refusal(open())).toMatch(/Allow this account kms:GetPublicKey and kms:Sign/)
    keeper.first = [fault('DisabledException')]
    expect(await refusal(open())).toMatch(/Enable the key/)
    keeper.first = [{ status: 403, body: 'blocked by policy' }]
    expect(await refusal(open())).toMatch(/: status 403: .*blocked by policy/)
    keeper.secretKey = 'another'
    const complaint = await refusal(open())
    expect(complaint).toMatch(/InvalidSignatureException.*Check the AWS secret access key/)
    expect(complaint).not.toContain('a secret')
    expect(keeper.calls).toHaveLength(5)
  })

  test('of another kind or use', async () => {
    keeper.curve = 'prime256v1'
    expect(await refusal(open())).toMatch(/is P-256, and an Ethereum key is on the curve secp256k1/)
    keeper.usage = 'KEY_AGREEMENT'
    expect(await refusal(open())).toMatch(/is for KEY_AGREEMENT: make an asymmetric key for SIGN/)
  })

  test('that answers with what is no signature', async () => {
    const signer = await open()
    keeper.first = [{ status: 200, body: JSON.stringify({ Signature: 'MEUCIQ==' }) }]
    await expect(sign(signer)).rejects.toThrow(/not valid DER: it was not used/)
    keeper.first = [{ status: 200, body: '{}' }]
    await expect(sign(signer)).rejects.toThrow(/not valid DER: it was not used/)
  })
})

describe('credentials', () => {
  const lent = (token: string, minutes: number) =>
    JSON.stringify({
      Code: 'Success',
      AccessKeyId: 'ASIALENT',
      SecretAccessKey: 'a secret',
      Token: token,
      Expiration: new Date(Date.now() + minutes * 60_000).toISOString(),
    })

  test('of the environment carry their session token', async () => {
    keeper.token = 'session 1'
    expect((await open({ ...ENV, AWS_SESSION_TOKEN: 'session 1' })).address).toMatch(/^0x/)
    await expect(open({ ...ENV, AWS_SESSION_TOKEN: 'old' })).rejects.toThrow(
      /ExpiredTokenException.*Renew the AWS session token/,
    )
  })

  test('of the machine are borrowed once, and again before they end', async () => {
    const role = '/latest/meta-data/iam/security-credentials/'
    keeper.token = 'T1'
    keeper.others = {
      'PUT /latest/api/token': 'metadata token',
      [`GET ${role}`]: 'purser-role',
      [`GET ${role}purser-role`]: lent('T1', 60),
    }
    const loans = () => keeper.calls.filter((call) => call.endsWith('purser-role'))
    const env = { AWS_EC2_METADATA_SERVICE_ENDPOINT: endpoint }
    const signer = await open(env)
    await sign(signer)
    await Promise.all([sign(signer), sign(signer)])
    expect(loans()).toHaveLength(1)
    keeper.others[`GET ${role}purser-role`] = lent('T1', 4)
    await sign(await open(env))
    await until(loans, ({ length }) => length > 2)
  })

  test('that AWS calls expired are renewed at once', async () => {
    keeper.token = 'T1'
    keeper.others = { 'GET /role': lent('T1', 600) }
    const signer = await open({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${endpoint}/role` })
    keeper.token = 'T2'
    keeper.others = { 'GET /role': lent('T2', 600) }
    await Promise.all([sign(signer), sign(signer), sign(signer)])
    expect(keeper.calls.filter((call) => call === 'GET /role')).toHaveLength(2)
  })

  test('of a web identity are exchanged at STS', async () => {
    const file = join(folder, 'token')
    await writeFile(file, 'a.jwt.token\n')
    keeper.token = 'T3'
    const { AccessKeyId, SecretAccessKey, Token, Expiration } = JSON.parse(lent('T3', 60))
    keeper.others = {
      'POST /sts/': `<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials><SessionToken>${Token}</SessionToken><SecretAccessKey>${SecretAccessKey}</SecretAccessKey><Expiration>${Expiration}</Expiration><AccessKeyId>${AccessKeyId}</AccessKeyId></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
    }
    const env = {
      AWS_WEB_IDENTITY_TOKEN_FILE: file,
      AWS_ROLE_ARN: 'arn:aws:iam::111122223333:role/purser',
      AWS_ENDPOINT_URL_STS: `${endpoint}/sts`,
    }
    expect((await open(env)).address).toMatch(/^0x/)
    await expect(open({ ...env, AWS_WEB_IDENTITY_TOKEN_FILE: `${file}2` })).rejects.toThrow(
      /no such file/,
    )
  })

  test('that are nowhere, or lack a member, are named without what they hold', async () => {
    await expect(open({ AWS_EC2_METADATA_DISABLED: 'true' })).rejects.toThrow(
      /There are no AWS credentials: set AWS_ACCESS_KEY_ID/,
    )
    keeper.others = { 'GET /role': JSON.stringify({ SecretAccessKey: 'hush' }) }
    const env = { AWS_CONTAINER_CREDENTIALS_FULL_URI: `${endpoint}/role` }
    const error = (await open(env).catch((caught: unknown) => caught)) as Error
    expect(error.message).toMatch(/^(?!.*hush).*There are no AWS credentials/s)
  })
})
