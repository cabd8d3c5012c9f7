import { expect, test } from 'vitest'
import { NOBODY } from '../../../base/kernel/assets.ts'
import { type Sight, uriHashOf } from '../../../chain/client/identity/vault.ts'
import type { IdentityRow } from '../store.ts'
import { judge, URI_REFUSED } from './judge.ts'

const VAULT = '0x1111111111111111111111111111111111111111'
const OWNER = '0x2222222222222222222222222222222222222222'
const BUYER = '0x3333333333333333333333333333333333333333'
const HOLDER = '0x4444444444444444444444444444444444444444'
const UID = `0x${'ab'.repeat(32)}` as const
const BASE_URL = 'https://pay.example'
const URI = `${BASE_URL}/api/v1/credentials/card_x/registration`

const row = (of: Partial<IdentityRow> = {}): IdentityRow => ({
  ...{
    cardId: 'card_x',
    network: 'eip155:84532',
    registry: VAULT,
    ownerWallet: OWNER,
    askedBy: OWNER,
    baseUrl: BASE_URL,
  },
  ...{ state: 'PENDING', move: null, custody: 'CUSTODIAL', tokenId: null, holderAddress: null },
  ...{
    attestationUid: null,
    isAttested: false,
    isDeployed: false,
    isNamed: true,
    attempts: 0,
    sendRef: null,
  },
  ...{ txHash: null, reason: null, createdAt: new Date(0) },
  ...of,
})
const sight = (of: Partial<Sight> = {}): Sight => ({
  ...{ tokenId: 7n, owner: OWNER, step: 1n, tokenOwner: VAULT, holder: HOLDER },
  ...{ isDeployed: false, attestation: UID, isAttested: true, uriHash: uriHashOf(URI) },
  ...of,
})
const judged = (of: Partial<IdentityRow>, view: { latest?: Sight; safe?: Sight }) => {
  const { row: next, act } = judge(row(of), { latest: undefined, safe: undefined, ...view }, VAULT)
  return [next.state, next.move, next.custody, act?.kind] as const
}
const minted = { tokenId: 7n, holderAddress: HOLDER } as const

test('a mint is asked for until a block holds it, and counts in a safe one', () => {
  expect(judged({}, {})).toEqual(['PENDING', null, 'CUSTODIAL', 'mint'])
  const latest = sight()
  expect(judged({}, { latest })).toEqual(['MINTED', null, 'CUSTODIAL', undefined])
  expect(judge(row(), { latest, safe: undefined }, VAULT).row.tokenId).toBe(null)
  expect(judged({ state: 'MINTED' }, {})).toEqual(['PENDING', null, 'CUSTODIAL', 'mint'])
  const final = judge(row({ state: 'MINTED' }), { latest, safe: latest }, VAULT)
  expect(final.row).toMatchObject({ state: 'FINAL', ...minted, attestationUid: UID })
})

test('a card that was sold before its mint is final is assigned after it', () => {
  const view = { latest: sight(), safe: sight() }
  expect(judged({ ownerWallet: BUYER }, view)).toEqual([
    ...['TRANSFERRING', 'assign', 'CUSTODIAL', 'assign'],
  ])
  const { act } = judge(row({ ownerWallet: BUYER }), view, VAULT)
  expect(act).toEqual({ kind: 'assign', cardId: 'card_x', owner: BUYER, step: 2n })
})

test('an act is not asked for again once the newest block shows it', () => {
  const state = { ...minted, state: 'TRANSFERRING', move: 'assign', ownerWallet: BUYER } as const
  const latest = sight({ owner: BUYER, step: 2n })
  expect(judged(state, { latest, safe: sight() })[3]).toBe(undefined)
  expect(judged(state, { latest, safe: latest })).toEqual(['FINAL', null, 'CUSTODIAL', undefined])
})

test('a token goes to its owner, who is made the owner of record before', () => {
  const state = { ...minted, state: 'TRANSFERRING', move: 'release' } as const
  const kept = sight()
  expect(judged(state, { latest: kept, safe: kept })[3]).toBe('release')
  const other = sight({ owner: BUYER })
  expect(judged(state, { latest: other, safe: other })[3]).toBe('assign')
  const out = sight({ tokenOwner: OWNER, step: 2n })
  expect(judged(state, { latest: out, safe: kept })).toEqual([
    ...['TRANSFERRING', 'release', 'CUSTODIAL', undefined],
  ])
  expect(judged(state, { latest: out, safe: out })).toEqual(['FINAL', null, 'WITHDRAWN', undefined])
})

test('a token that somebody else holds is detached, and nobody is its owner of record', () => {
  const stray = sight({ tokenOwner: BUYER })
  const state = { ...minted, state: 'FINAL', custody: 'WITHDRAWN' } as const
  expect(judged(state, { latest: stray, safe: sight({ tokenOwner: OWNER }) })[0]).toBe('FINAL')
  expect(judged(state, { latest: stray, safe: stray })).toEqual([
    ...['DETACHED', null, 'WITHDRAWN', 'assign'],
  ])
  expect(judge(row(state), { latest: stray, safe: stray }, VAULT).act).toMatchObject({
    owner: NOBODY,
  })
  const burned = sight({ tokenOwner: NOBODY, owner: NOBODY, step: 2n, isAttested: false })
  expect(judged(state, { latest: burned, safe: burned })).toEqual([
    ...['DETACHED', null, 'WITHDRAWN', undefined],
  ])
})

test('a kept token that names another address is to name ours, once nothing else is to be done', () => {
  const state = { ...minted, state: 'FINAL' } as const
  const other = sight({ uriHash: uriHashOf('https://old.example') })
  const act = judge(row(state), { latest: other, safe: other }, VAULT).act
  expect(act).toEqual({ kind: 'setAgentURI', cardId: 'card_x', uri: URI, step: 2n })
  expect(judged(state, { latest: sight({ step: 2n }), safe: other })[3]).toBe(undefined)
  // Refused once, it is not asked for again by itself; nor is one that is in a wallet, or follows a sale.
  expect(judged({ ...state, reason: URI_REFUSED }, { latest: other, safe: other })[3]).toBe(
    undefined,
  )
  const out = { ...other, tokenOwner: OWNER } as const
  expect(judged({ ...state, custody: 'WITHDRAWN' }, { latest: out, safe: out })[3]).toBe(undefined)
  expect(judged({ ...state, ownerWallet: BUYER }, { latest: other, safe: other })[3]).toBe('assign')
})

test('while a token is sold on chain, nothing is sent and nothing is detached', () => {
  const state = { ...minted, state: 'TRANSFERRING', move: 'outside', custody: 'WITHDRAWN' } as const
  const sold = sight({ tokenOwner: BUYER })
  expect(judged(state, { latest: sold, safe: sold })).toEqual([
    ...['TRANSFERRING', 'outside', 'WITHDRAWN', undefined],
  ])
})
