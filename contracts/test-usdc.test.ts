import { type Abi, encodeEventTopics, type Hex, hashDomain, zeroAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { USDC } from '../packages/service/src/base/kernel/assets.ts'
import { randomHex } from '../packages/service/src/base/kernel/secrets.ts'
import { freshAccount, testChain } from '../packages/service/test/world/chain.ts'
import artifact from './build/TestUsdc.json' with { type: 'json' }
import { expectGas } from './gas.ts'
import { newSigner, newToken, newWallet, type Signed, signMessage, type Token } from './token.ts'

const DOLLAR = 1_000_000n
/** A second that is neither near now nor near the bounds of the authorizations made here. */
const NOON = 2_000_000_000n
const FOR_EVER = 2n ** 40n
/** Gas may differ by the number of zero bytes in an address or a signature. */

let token: Token
let admin: Hex
const alice = newSigner()
const bob = newSigner()
const mallory = newSigner()

beforeAll(async () => {
  admin = (await freshAccount()).address
  token = await newToken(testChain(), admin)
  await token.send({ from: admin, functionName: 'configureMinter', args: [admin, 2n ** 128n] })
  await fund(alice.address)
})

const fund = (to: Hex, value = 100n * DOLLAR) =>
  token.send({ from: admin, functionName: 'mint', args: [to, value] })

type Terms = {
  from?: Hex
  to?: Hex
  value?: bigint
  validAfter?: bigint
  validBefore?: bigint
  nonce?: Hex
}

const authorize = (
  terms: Terms = {},
  key: Hex = alice.privateKey,
  kind: 'TransferWithAuthorization' | 'ReceiveWithAuthorization' = 'TransferWithAuthorization',
): Promise<Signed> =>
  signMessage(token, key, kind, {
    from: alice.address,
    to: bob.address,
    value: DOLLAR,
    validAfter: 0n,
    validBefore: FOR_EVER,
    nonce: randomHex(32),
    ...terms,
  })

/** The result for a stranger who submits the authorization through both overloads, which must agree. */
async function submit(
  signed: Signed,
  options: { from?: Hex; time?: bigint; receive?: boolean } = {},
) {
  const functionName = options.receive ? 'receiveWithAuthorization' : 'transferWithAuthorization'
  const from = options.from ?? mallory.address
  const answers = await Promise.all(
    [signed.asBytes, signed.asParts].map((args) =>
      token.attempt({ from, functionName, args, time: options.time ?? NOON }),
    ),
  )
  expect(answers[1]).toBe(answers[0])
  return answers[0]
}

const act = (functionName: string, args: unknown[] = [], from: Hex = admin) =>
  token.send({ from, functionName, args })
const ask = (functionName: string, args: unknown[], from: Hex) =>
  token.attempt({ from, functionName, args })

test('its domain is the one computed for USDC, name and version', async () => {
  expect(await token.read('version')).toBe('2')
  expect(await token.read('decimals')).toBe(6)
  expect(await token.read('DOMAIN_SEPARATOR')).toBe(domainSeparator(token.domain))
  // The values of the public chains. The kernel's constants must give the same.
  const separators = { 8453: '0x02fa7265e7c5d811', 84532: '0x71f17a3b2ff373b8' }
  for (const [chainId, separator] of Object.entries(separators)) {
    const asset = USDC[Number(chainId)]!
    const domain = { ...asset.eip712, chainId: asset.chainId, verifyingContract: asset.contract }
    expect(domainSeparator(domain).slice(0, 18)).toBe(separator)
  }
})

test('it is initialized once', async () => {
  expect(await ask('initialize', ['Mine', 'MINE', mallory.address], mallory.address)).toBe(
    'FiatToken: contract is already initialized',
  )
})

describe('transferWithAuthorization', () => {
  test('moves the money once, whoever submits it, and says so', async () => {
    const to = newSigner().address
    const nonce = randomHex(32)
    const signed = await authorize({ to, nonce })
    const receipt = await act('transferWithAuthorization', signed.asBytes)
    expect(await token.read('balanceOf', to)).toBe(DOLLAR)
    expect(await token.read('authorizationState', alice.address, nonce)).toBe(true)
    expect(receipt.logs.map((log) => log.topics)).toEqual([
      topics('AuthorizationUsed', { authorizer: alice.address, nonce }),
      topics('Transfer', { from: alice.address, to }),
    ])
    expect(await submit(signed)).toBe('FiatTokenV2: authorization is used or canceled')
  })

  test('is valid strictly between its two times', async () => {
    const signed = await authorize({ validAfter: NOON, validBefore: NOON + 10n })
    expect(await submit(signed, { time: NOON })).toBe('FiatTokenV2: authorization is not yet valid')
    expect(await submit(signed, { time: NOON + 1n })).toBe('done')
    expect(await submit(signed, { time: NOON + 9n })).toBe('done')
    expect(await submit(signed, { time: NOON + 10n })).toBe('FiatTokenV2: authorization is expired')
  })

  test('is worth nothing when signed by another, for another use or with a member changed', async () => {
    const refused = 'FiatTokenV2: invalid signature'
    expect(await submit(await authorize({}, mallory.privateKey))).toBe(refused)
    expect(await submit(await authorize({}, alice.privateKey, 'ReceiveWithAuthorization'))).toBe(
      refused,
    )
    const { asBytes, asParts } = await authorize()
    for (const [index, other] of [
      [1, mallory.address],
      [2, 2n * DOLLAR],
      [3, 1n],
      [4, FOR_EVER + 1n],
      [5, randomHex(32)],
    ] as const) {
      const changed = {
        values: [],
        asBytes: asBytes.with(index, other),
        asParts: asParts.with(index, other),
      }
      expect(await submit(changed)).toBe(refused)
    }
  })

  test('is worth nothing on another token', async () => {
    const other = await newToken(testChain(), admin)
    const { asBytes } = await authorize()
    expect(
      await other.attempt({
        from: bob.address,
        functionName: 'transferWithAuthorization',
        args: asBytes,
      }),
    ).toBe('FiatTokenV2: invalid signature')
  })

  test('names what is malformed in a signature', async () => {
    const { values, asParts } = await authorize()
    const [r, s] = asParts.slice(-2) as [Hex, Hex]
    const withParts = (...parts: unknown[]) =>
      ask('transferWithAuthorization', [...values, ...parts], bob.address)
    const highS = `0x${(0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n - BigInt(s)).toString(16).padStart(64, '0')}`
    expect(await withParts('0x1234')).toBe('ECRecover: invalid signature length')
    expect(await withParts(27, r, highS)).toBe("ECRecover: invalid signature 's' value")
    expect(await withParts(0, r, s)).toBe("ECRecover: invalid signature 'v' value")
    expect(await withParts(27, `0x${'0'.repeat(64)}`, s)).toBe('ECRecover: invalid signature')
  })

  test('cannot overdraw, and pays neither nobody nor the token itself', async () => {
    expect(await submit(await authorize({ value: 1_000_000n * DOLLAR }))).toBe(
      'ERC20: transfer amount exceeds balance',
    )
    expect(await submit(await authorize({ to: zeroAddress }))).toBe(
      'ERC20: transfer to the zero address',
    )
    expect(await submit(await authorize({ to: token.address }))).toBe(
      'Blacklistable: account is blacklisted',
    )
  })
})

test('receiveWithAuthorization is for the payee alone to submit', async () => {
  const signed = await authorize({}, alice.privateKey, 'ReceiveWithAuthorization')
  expect(await submit(signed, { receive: true })).toBe('FiatTokenV2: caller must be the payee')
  expect(await submit(signed, { receive: true, from: bob.address })).toBe('done')
  const forAnyone = await authorize()
  expect(await submit(forAnyone, { receive: true, from: bob.address })).toBe(
    'FiatTokenV2: invalid signature',
  )
})

test('a cancelled authorization is worth nothing, and only its signer can cancel it', async () => {
  const nonce = randomHex(32)
  const cancel = { authorizer: alice.address, nonce }
  const forged = await signMessage(token, mallory.privateKey, 'CancelAuthorization', cancel)
  expect(await ask('cancelAuthorization', forged.asBytes, mallory.address)).toBe(
    'FiatTokenV2: invalid signature',
  )
  const signed = await signMessage(token, alice.privateKey, 'CancelAuthorization', cancel)
  const receipt = await act('cancelAuthorization', signed.asParts)
  expect(receipt.logs.map((log) => log.topics)).toEqual([
    topics('AuthorizationCanceled', { authorizer: alice.address, nonce }),
  ])
  expect(await submit(await authorize({ nonce }))).toBe(
    'FiatTokenV2: authorization is used or canceled',
  )
  expect(await ask('cancelAuthorization', signed.asBytes, alice.address)).toBe(
    'FiatTokenV2: authorization is used or canceled',
  )
})

describe('a payer with code', () => {
  test('pays by what its owner signs, in both overloads, and by nothing else', async () => {
    const owner = newSigner()
    const from = await newWallet(testChain().rpcUrl, owner.address)
    await fund(from)
    expect(await submit(await authorize({ from }, owner.privateKey))).toBe('done')
    expect(await submit(await authorize({ from }, mallory.privateKey))).toBe(
      'FiatTokenV2: invalid signature',
    )
  })

  test('without ERC-1271 cannot pay by signature', async () => {
    // The token itself has code and no isValidSignature.
    const signed = await authorize({ from: (await newToken(testChain(), admin)).address })
    expect(await submit(signed)).toBe('FiatTokenV2: invalid signature')
  })
})

test('a blacklisted account neither pays, nor is paid, nor spends for others, until it is taken off', async () => {
  const outlaw = newSigner()
  await fund(outlaw.address)
  await act('approve', [outlaw.address, DOLLAR], bob.address)
  await act('blacklist', [outlaw.address])
  const refused = 'Blacklistable: account is blacklisted'
  expect(await token.read('isBlacklisted', outlaw.address)).toBe(true)
  expect(await token.read('balanceOf', outlaw.address)).toBe(100n * DOLLAR)
  expect(await submit(await authorize({ from: outlaw.address }, outlaw.privateKey))).toBe(refused)
  expect(await submit(await authorize({ to: outlaw.address }))).toBe(refused)
  expect(await ask('transfer', [bob.address, 1n], outlaw.address)).toBe(refused)
  expect(await ask('transfer', [outlaw.address, 1n], alice.address)).toBe(refused)
  expect(await ask('transferFrom', [bob.address, alice.address, 0n], outlaw.address)).toBe(refused)
  expect(await ask('mint', [outlaw.address, 1n], admin)).toBe(refused)
  expect(await ask('approve', [bob.address, 1n], outlaw.address)).toBe('done')
  expect(await ask('blacklist', [alice.address], mallory.address)).toBe(
    'Blacklistable: caller is not the blacklister',
  )
  await act('unBlacklist', [outlaw.address])
  expect(await submit(await authorize({ from: outlaw.address }, outlaw.privateKey))).toBe('done')
  expect(await token.read('balanceOf', outlaw.address)).toBe(100n * DOLLAR)
})

test('nothing moves while it is paused', async () => {
  const paused = await newToken(testChain(), admin)
  await paused.send({ from: admin, functionName: 'pause', args: [] })
  const refused = 'Pausable: paused'
  const signature = '0x'
  const authorization = [alice.address, bob.address, 1n, 0n, FOR_EVER, randomHex(32), signature]
  const calls: [string, unknown[]][] = [
    ['transfer', [bob.address, 0n]],
    ['transferFrom', [alice.address, bob.address, 0n]],
    ['approve', [bob.address, 1n]],
    ['increaseAllowance', [bob.address, 1n]],
    ['decreaseAllowance', [bob.address, 0n]],
    ['permit', [alice.address, bob.address, 1n, FOR_EVER, signature]],
    ['transferWithAuthorization', authorization],
    ['receiveWithAuthorization', authorization],
    ['cancelAuthorization', [alice.address, randomHex(32), signature]],
    ['configureMinter', [admin, 1n]],
    ['mint', [bob.address, 1n]],
    ['burn', [1n]],
  ]
  for (const [functionName, args] of calls)
    expect(await paused.attempt({ from: admin, functionName, args }), functionName).toBe(refused)
  expect(await paused.attempt({ from: bob.address, functionName: 'unpause', args: [] })).toBe(
    'Pausable: caller is not the pauser',
  )
  await paused.send({ from: admin, functionName: 'unpause', args: [] })
  expect(
    await paused.attempt({
      from: alice.address,
      functionName: 'transfer',
      args: [bob.address, 0n],
    }),
  ).toBe('done')
})

test('an allowance is spent by what moves, raised, lowered and never below zero', async () => {
  const [owner, spender] = [newSigner().address, newSigner().address]
  await fund(owner, 10n * DOLLAR)
  await act('approve', [spender, 2n * DOLLAR], owner)
  await act('increaseAllowance', [spender, DOLLAR], owner)
  await act('transferFrom', [owner, bob.address, DOLLAR], spender)
  await act('decreaseAllowance', [spender, DOLLAR], owner)
  expect(await token.read('allowance', owner, spender)).toBe(DOLLAR)
  expect(await ask('decreaseAllowance', [spender, DOLLAR + 1n], owner)).toBe(
    'ERC20: decreased allowance below zero',
  )
  expect(await ask('transferFrom', [owner, bob.address, DOLLAR + 1n], spender)).toBe(
    'ERC20: transfer amount exceeds allowance',
  )
  expect(await ask('transfer', [bob.address, 10n * DOLLAR], owner)).toBe(
    'ERC20: transfer amount exceeds balance',
  )
})

test('a permit gives its allowance once, before its deadline and by its owner only', async () => {
  const terms = {
    owner: alice.address,
    spender: bob.address,
    value: DOLLAR,
    nonce: 0n,
    deadline: NOON,
  }
  // The calls take every member except the nonce, which the token knows.
  const sign = async (key: Hex, overrides: Partial<typeof terms> = {}) => {
    const { asBytes, asParts } = await signMessage(token, key, 'Permit', { ...terms, ...overrides })
    return { asBytes: asBytes.toSpliced(3, 1), asParts: asParts.toSpliced(3, 1) }
  }
  const permit = (args: unknown[], time = NOON) =>
    token.attempt({ from: mallory.address, functionName: 'permit', args, time })
  const signed = await sign(alice.privateKey)
  expect(await permit(signed.asBytes)).toBe('done')
  expect(await permit(signed.asParts)).toBe('done')
  expect(await permit(signed.asBytes, NOON + 1n)).toBe('FiatTokenV2: permit is expired')
  const endless = await sign(alice.privateKey, { deadline: 2n ** 256n - 1n })
  expect(await permit(endless.asBytes, NOON + 1n)).toBe('done')
  expect(await permit((await sign(mallory.privateKey)).asBytes)).toBe('EIP2612: invalid signature')
  await act('permit', signed.asParts)
  expect(await token.read('allowance', alice.address, bob.address)).toBe(DOLLAR)
  expect(await token.read('nonces', alice.address)).toBe(1n)
  expect(await permit(signed.asBytes)).toBe('EIP2612: invalid signature')
})

test('only a minter mints, within its allowance, and burns what it holds', async () => {
  const minter = newSigner().address
  expect(await ask('mint', [minter, 1n], minter)).toBe('FiatToken: caller is not a minter')
  expect(await ask('configureMinter', [minter, 1n], minter)).toBe(
    'FiatToken: caller is not the masterMinter',
  )
  await act('configureMinter', [minter, 2n * DOLLAR])
  const supply = (await token.read('totalSupply')) as bigint
  await act('mint', [minter, 2n * DOLLAR], minter)
  expect(await ask('mint', [minter, 1n], minter)).toBe(
    'FiatToken: mint amount exceeds minterAllowance',
  )
  expect(await ask('mint', [minter, 0n], minter)).toBe('FiatToken: mint amount not greater than 0')
  expect(await ask('burn', [3n * DOLLAR], minter)).toBe('FiatToken: burn amount exceeds balance')
  await act('burn', [DOLLAR], minter)
  expect(await token.read('totalSupply')).toBe(supply + DOLLAR)
  await act('removeMinter', [minter])
  expect(await ask('burn', [1n], minter)).toBe('FiatToken: caller is not a minter')
})

test('a payment costs the gas that it cost before', async () => {
  const [payer, payee] = [newSigner(), newSigner().address]
  await fund(payer.address)
  await fund(payee)
  const signed = await authorize({ from: payer.address, to: payee }, payer.privateKey)
  const measured = {
    transfer: Number((await act('transfer', [payee, DOLLAR], payer.address)).gasUsed),
    transferWithAuthorization: Number(
      (await act('transferWithAuthorization', signed.asBytes)).gasUsed,
    ),
  }
  expectGas('TestUsdc', measured)
})

const domainSeparator = (domain: Token['domain']): Hex =>
  hashDomain({
    domain: { ...domain, chainId: BigInt(domain.chainId) },
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
    },
  })

const topics = (eventName: string, args: Record<string, unknown>): unknown =>
  encodeEventTopics({ abi: artifact.abi as Abi, eventName, args } as never)
