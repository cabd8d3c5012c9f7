import { decodeAbiParameters, encodeAbiParameters, keccak256, parseAbiParameters } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { uriHashOf } from '../packages/service/src/chain/client/identity/vault.ts'
import { testChain } from '../packages/service/test/world/chain.ts'
import hostileHolder from './build/HostileHolder.json' with { type: 'json' }
import smartAccount from './build/SmartAccount.json' with { type: 'json' }
import { expectGas } from './gas.ts'
import { newContract, newSigner, newWallet } from './token.ts'
import { dataOf, mintOf, NOBODY, openVault, STRANGER, type Vaults, vaultCallAbi } from './vaults.ts'

let own: Vaults
const mallory = newSigner()

beforeAll(async () => {
  own = await openVault()
})

const assign = (cardId: string, owner: `0x${string}`, step: bigint) =>
  ({ kind: 'assign', cardId, owner, step }) as const
const release = (cardId: string, owner: `0x${string}`, step: bigint) =>
  ({ kind: 'release', cardId, owner, step }) as const

describe('a mint', () => {
  test('registers one token for the card, kept for its owner, paid at no wallet, and attested', async () => {
    const { cardId, tokenId, owner_: owner, ...sight } = await own.minted()
    expect(sight).toMatchObject({ step: 1n, tokenOwner: own.vault.address, isAttested: true })
    expect(sight.isDeployed).toBe(false)
    expect(await own.registry.read('getAgentWallet', tokenId)).toBe(NOBODY)
    expect(await own.registry.read('tokenURI', tokenId)).toContain(cardId)
    const found = (await own.eas.read('getAttestation', sight.attestation)) as Record<string, any>
    expect(found).toMatchObject({
      ...{ attester: own.vault.address, recipient: sight.holder, revocable: true },
      ...{ revocationTime: 0n, expirationTime: 0n, schema: await own.vault.read('schema') },
    })
    const types = parseAbiParameters('address, uint256, string, bytes32')
    const evidence = keccak256(
      encodeAbiParameters(parseAbiParameters('string, address'), [cardId, owner.address]),
    )
    expect(decodeAbiParameters(types, found.data)).toEqual([
      ...[own.registry.address, tokenId, cardId, evidence],
    ])
  })

  test('happens once for a card, whatever is signed and relayed after it', async () => {
    const { cardId, owner_: owner } = await own.minted()
    expect(await own.attempt(mintOf(cardId, owner.address))).toBe('AlreadyMinted')
    expect(await own.attempt(mintOf(cardId, mallory.address))).toBe('AlreadyMinted')
  })

  test('is the custodian’s to sign, for this vault, in every field', async () => {
    const act = mintOf('card_mine', mallory.address)
    expect(await own.attempt(act, mallory.privateKey)).toBe('WrongSignature')
    const elsewhere = await openVault({ key: own.key })
    expect(await own.attempt(act, own.key.privateKey, elsewhere.vault.address)).toBe(
      'WrongSignature',
    )
    const { args } = await own.callOf(act)
    for (const [i, other] of ['card_other', 'https://other', newSigner().address].entries()) {
      const changed = args.with(i, other)
      expect(await own.vault.attempt({ from: STRANGER, functionName: 'mint', args: changed })).toBe(
        'WrongSignature',
      )
    }
    expect(await own.attempt(act)).toBe('done')
  })

  test('may be signed by a custodian that is a contract', async () => {
    const key = newSigner()
    const custodian = await newWallet(testChain().rpcUrl, key.address)
    const contractOwned = await openVault({ custodian, key })
    expect(await contractOwned.minted()).toMatchObject({ step: 1n })
    expect(await contractOwned.attempt(mintOf('card_x', mallory.address), mallory.privateKey)).toBe(
      'WrongSignature',
    )
  })
})

describe('an owner of record', () => {
  test('follows the steps in order, each once, and is attested anew', async () => {
    const { cardId, attestation } = await own.minted()
    const [first, second] = [newSigner().address, newSigner().address]
    expect(await own.attempt(assign(cardId, first, 1n))).toBe('WrongStep')
    expect(await own.attempt(assign(cardId, first, 3n))).toBe('WrongStep')
    expect(await own.attempt(assign(cardId, first, 2n), mallory.privateKey)).toBe('WrongSignature')
    await own.do(assign(cardId, first, 2n))
    // Signed for the same step by another sale: it came too late.
    expect(await own.attempt(assign(cardId, second, 2n))).toBe('WrongStep')
    expect(await own.attempt(assign(cardId, first, 2n))).toBe('WrongStep')
    const after = await own.look(cardId)
    expect(after).toMatchObject({ owner: first, step: 2n, isAttested: true })
    expect(after.attestation).not.toBe(attestation)
    const before = (await own.eas.read('getAttestation', attestation)) as Record<string, any>
    expect(before.revocationTime).toBeGreaterThan(0n)
  })

  test('may be nobody, who is not attested and gets no token', async () => {
    const { cardId, owner_: owner } = await own.minted()
    await own.do(assign(cardId, NOBODY, 2n))
    expect(await own.look(cardId)).toMatchObject({ owner: NOBODY, isAttested: false, step: 2n })
    expect(await own.attempt(release(cardId, NOBODY, 3n))).toBe('NoOwner')
    await own.do(assign(cardId, owner.address, 3n))
    expect(await own.look(cardId)).toMatchObject({ owner: owner.address, isAttested: true })
  })

  test('is never the token’s own account, nor anybody of a card without a token', async () => {
    const { cardId, holder } = await own.minted()
    expect(await own.attempt(assign(cardId, holder, 2n))).toBe('OwnedByItself')
    expect(await own.attempt(assign('card_none', mallory.address, 1n))).toBe('NotMinted')
    expect(await own.attempt(release('card_none', mallory.address, 1n))).toBe('NotMinted')
  })
})

describe('a release', () => {
  test('sends a token to its owner of record alone, and by the step that was signed', async () => {
    const { cardId, tokenId, owner_: owner } = await own.minted()
    expect(await own.attempt(release(cardId, mallory.address, 2n))).toBe('NoOwner')
    expect(await own.attempt(release(cardId, owner.address, 2n), mallory.privateKey)).toBe(
      'WrongSignature',
    )
    await own.do(release(cardId, owner.address, 2n))
    expect(await own.look(cardId)).toMatchObject({ tokenOwner: owner.address, step: 2n })
    expect(await own.attempt(release(cardId, owner.address, 3n))).toBe('ERC721InsufficientApproval')
    const back = [owner.address, own.vault.address, tokenId]
    await own.registry.send({ from: owner.address, functionName: 'safeTransferFrom', args: back })
    // The signature of the first release is worth nothing now.
    expect(await own.attempt(release(cardId, owner.address, 2n))).toBe('WrongStep')
    expect(await own.look(cardId)).toMatchObject({ tokenOwner: own.vault.address })
  })

  test('that a wallet does not take leaves the token where it is', async () => {
    const { address } = await newContract(testChain(), smartAccount, [mallory.address])
    const { cardId } = await own.minted({ ...mallory, address })
    expect(await own.attempt(release(cardId, address, 2n))).toBe('ERC721InvalidReceiver')
    expect(await own.look(cardId)).toMatchObject({ tokenOwner: own.vault.address, step: 1n })
  })

  test('cannot be entered again while the token is on its way', async () => {
    const holder = await newContract(testChain(), hostileHolder)
    const { cardId } = await own.minted({ ...mallory, address: holder.address })
    const again = assign(cardId, mallory.address, 3n)
    const { args, functionName } = await own.callOf(again)
    const data = dataOf(vaultCallAbi, functionName, args)
    const aim = { from: STRANGER, functionName: 'aim', args: [own.vault.address, data] }
    await holder.send(aim)
    expect(await own.attempt(release(cardId, holder.address, 2n))).toBe(
      'ReentrancyGuardReentrantCall',
    )
    expect(await own.look(cardId)).toMatchObject({ tokenOwner: own.vault.address, step: 1n })
  })
})

describe('the address of a registration file', () => {
  const uri = 'https://new.example/registration'
  const setUri = (cardId: string, step: bigint, to = uri) =>
    ({ kind: 'setAgentURI', cardId, uri: to, step }) as const

  test('is changed by the step that was signed, once, and seen in the record', async () => {
    const { cardId, tokenId, uriHash, owner_: owner } = await own.minted()
    const before = mintOf(cardId, owner.address)
    expect(uriHash).toBe(uriHashOf(before.uri))
    await own.do(setUri(cardId, 2n))
    expect(await own.registry.read('tokenURI', tokenId)).toBe(uri)
    expect(await own.look(cardId)).toMatchObject({
      ...{ step: 2n, uriHash: uriHashOf(uri), owner: owner.address, isAttested: true },
    })
    expect(await own.attempt(setUri(cardId, 2n))).toBe('WrongStep')
    expect(await own.attempt(setUri(cardId, 4n))).toBe('WrongStep')
    // An act that another has overtaken: neither the sale nor the address of the same step comes after the other.
    await own.do(assign(cardId, owner.address, 3n))
    expect(await own.attempt(setUri(cardId, 3n, 'https://old.example'))).toBe('WrongStep')
    expect(await own.registry.read('tokenURI', tokenId)).toBe(uri)
  })

  test('is the custodian’s to sign, in every field, for this vault and this chain', async () => {
    const { cardId, tokenId } = await own.minted()
    const act = setUri(cardId, 2n)
    expect(await own.attempt(act, mallory.privateKey)).toBe('WrongSignature')
    const elsewhere = await openVault({ key: own.key })
    expect(await own.attempt(act, own.key.privateKey, elsewhere.vault.address)).toBe(
      'WrongSignature',
    )
    const { args } = await own.callOf(act)
    const attempt = (changed: unknown[], functionName = 'setAgentURI') =>
      own.vault.attempt({ from: STRANGER, functionName, args: changed })
    const other = await own.minted()
    expect(await attempt(args.with(0, other.cardId))).toBe('WrongSignature')
    expect(await attempt(args.with(1, 'https://mallory.example'))).toBe('WrongSignature')
    const ofOtherChain = await own.callOf(act, undefined, undefined, 8453)
    expect(await attempt(ofOtherChain.args)).toBe('WrongSignature')
    // A signature of another act of the same step says nothing about the address.
    const sold = await own.callOf(assign(cardId, mallory.address, 2n))
    expect(await attempt(args.with(3, sold.args[3]))).toBe('WrongSignature')
    expect(await own.attempt(setUri('card_none', 1n))).toBe('NotMinted')
    expect(await own.registry.read('tokenURI', tokenId)).not.toBe(uri)
    expect(await own.attempt(act)).toBe('done')
  })

  test('is its owner’s while the token is out, and bounds what a look at others costs', async () => {
    const { cardId, tokenId, owner_: owner } = await own.minted()
    await own.do(release(cardId, owner.address, 2n))
    expect(await own.attempt(setUri(cardId, 3n))).toBe('ERC721InsufficientApproval')
    const long = 'x'.repeat(20_000)
    const set = { from: owner.address, functionName: 'setAgentURI', args: [tokenId, long] }
    await own.registry.send(set)
    expect(await own.look(cardId)).toMatchObject({ step: 2n, uriHash: `0x${'0'.repeat(64)}` })
    const back = [owner.address, own.vault.address, tokenId]
    await own.registry.send({ from: owner.address, functionName: 'safeTransferFrom', args: back })
    expect(await own.look(cardId)).toMatchObject({
      ...{ tokenOwner: own.vault.address, uriHash: `0x${'0'.repeat(64)}` },
    })
  })
})

describe('what comes to the vault', () => {
  test('is taken only if it was minted here', async () => {
    const give = async (registry: Vaults['registry']) => {
      const register = { from: mallory.address, functionName: 'register', args: ['x'] as unknown[] }
      const { logs } = await registry.send(register)
      const tokenId = BigInt(logs[0]?.topics[3] ?? '0x')
      const args = [mallory.address, own.vault.address, tokenId]
      return registry.attempt({ from: mallory.address, functionName: 'safeTransferFrom', args })
    }
    expect(await give(own.registry)).toBe('NotOurs')
    const received = [mallory.address, NOBODY, 1n, '0x']
    const call = { from: mallory.address, functionName: 'onERC721Received', args: received }
    expect(await own.vault.attempt(call)).toBe('NotOurs')
  })

  test('stays for its owner of record, also if somebody else sent it', async () => {
    const { cardId, tokenId, owner_: owner } = await own.minted()
    await own.do(release(cardId, owner.address, 2n))
    const away = [owner.address, mallory.address, tokenId]
    await own.registry.send({ from: owner.address, functionName: 'transferFrom', args: away })
    const back = [mallory.address, own.vault.address, tokenId]
    await own.registry.send({ from: mallory.address, functionName: 'safeTransferFrom', args: back })
    expect(await own.attempt(release(cardId, mallory.address, 3n))).toBe('NoOwner')
    expect(await own.look(cardId)).toMatchObject({ owner: owner.address })
  })
})

test('the vault shows an unknown card as nothing, and signs nothing', async () => {
  expect(await own.look('card_unknown')).toMatchObject({
    ...{ step: 0n, tokenOwner: NOBODY, owner: NOBODY, holder: NOBODY, isAttested: false },
  })
  expect(vaultCallAbi.some((one) => 'name' in one && one.name === 'isValidSignature')).toBe(false)
})

test('an act costs the gas that it cost before', async () => {
  const mint = await own.do(mintOf('card_01m82zx1jjjyydyd9mqj4qfb9x', newSigner().address))
  const owner = newSigner().address
  const assigned = await own.do(assign('card_01m82zx1jjjyydyd9mqj4qfb9x', owner, 2n))
  const uri =
    'https://pay.example.com/api/v1/credentials/card_01m82zx1jjjyydyd9mqj4qfb9x/registration'
  const named = await own.do({
    ...{ kind: 'setAgentURI', cardId: 'card_01m82zx1jjjyydyd9mqj4qfb9x', uri, step: 3n },
  })
  const released = await own.do(release('card_01m82zx1jjjyydyd9mqj4qfb9x', owner, 4n))
  expectGas('CredentialVault', {
    mint: Number(mint.gasUsed),
    assign: Number(assigned.gasUsed),
    release: Number(released.gasUsed),
    setAgentURI: Number(named.gasUsed),
  })
})
