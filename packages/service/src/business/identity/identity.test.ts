import { expect, test } from 'vitest'
import {
  carried,
  mintedCard,
  moveToken,
  paidCard,
  registryAbi,
  rowOf,
  sightOf,
  vaultOfWorld,
} from '../../../test/actors/identity/identities.ts'
import { faultyRpc, SILENCE } from '../../../test/faults/faulty-rpc.ts'
import { testChain } from '../../../test/world/chain.ts'
import { world } from '../../../test/world.ts'

test('a card that was paid gets one token, held for its wallet and attested', async () => {
  await using w = await world({ identities: true })
  await w.withGas()
  const { seller, id } = await paidCard(w)
  const asked = await seller.post(`/api/cards/${id}/identity`)
  expect([asked.status, asked.body]).toMatchObject([
    200,
    { identity: { identity_status: 'PENDING', identity_token: null, holder_address: null } },
  ])
  const row = await carried(w, id)
  const { registry } = w.services.settings.identity!
  expect(row).toMatchObject({ state: 'FINAL', custody: 'CUSTODIAL', attempts: 1 })
  const shown = (await seller.get(`/api/cards/${id}/identity`)).body.identity
  expect(shown).toEqual({
    card_id: id,
    identity_status: 'FINAL',
    identity_token: `eip155:84532/erc721:${registry.toLowerCase()}/${row.tokenId}`,
    holder_address: row.holderAddress,
    chain_status: 'RESERVED',
    attested: true,
    custody: 'CUSTODIAL',
    holder_explorer_url: `http://127.0.0.1:4021/explorer/address/${row.holderAddress}`,
  })
  const page = await w.call('GET', new URL(shown.holder_explorer_url).pathname)
  expect([page.status, page.text]).toEqual([200, expect.stringContaining(row.holderAddress!)])
  expect(await sightOf(w, id)).toMatchObject({ owner: seller.wallet, tokenOwner: vaultOfWorld(w) })
  const read = { abi: registryAbi, address: registry, args: [row.tokenId!] } as const
  expect(await w.chain.rpc.readContract({ ...read, functionName: 'tokenURI' })).toBe(
    `http://127.0.0.1:4021/api/v1/credentials/${id}/registration`,
  )
  expect(await w.chain.rpc.readContract({ ...read, functionName: 'getAgentWallet' })).toBe(
    `0x${'0'.repeat(40)}`,
  )
  const again = await seller.post(`/api/cards/${id}/identity`)
  expect(again.body.identity).toMatchObject({ identity_status: 'FINAL' })
  expect((await rowOf(w, id)).attempts).toBe(1)
})

test('a withdrawn token is in its wallet, detached where it moves on, and back where it returns', async () => {
  await using w = await world({ identities: true })
  const { seller, id, row } = await mintedCard(w)
  const asked = await seller.post(`/api/cards/${id}/identity/withdraw`)
  expect([asked.status, asked.body.identity?.identity_status]).toEqual([200, 'TRANSFERRING'])
  expect((await seller.post(`/api/cards/${id}/identity/withdraw`)).status).toBe(200)
  expect(await carried(w, id)).toMatchObject({ state: 'FINAL', custody: 'WITHDRAWN' })
  expect(await sightOf(w, id)).toMatchObject({ tokenOwner: seller.wallet, isAttested: true })

  const other = await w.user()
  const tokenId = row.tokenId!
  await moveToken(w, { from: seller.account, to: other.account.address, tokenId })
  expect(await carried(w, id)).toMatchObject({ state: 'DETACHED', ownerWallet: seller.wallet })
  expect(await sightOf(w, id)).toMatchObject({ isAttested: false })
  expect((await seller.get(`/api/cards/${id}/identity`)).body.identity.attested).toBe(false)

  await moveToken(w, { from: other.account, to: seller.account.address, tokenId })
  expect(await carried(w, id)).toMatchObject({ state: 'FINAL', custody: 'WITHDRAWN' })
  await moveToken(w, { from: seller.account, to: vaultOfWorld(w), tokenId, safely: true })
  expect(await carried(w, id)).toMatchObject({ state: 'FINAL', custody: 'CUSTODIAL' })
  expect(await sightOf(w, id)).toMatchObject({ owner: seller.wallet, isAttested: true })
})

test('the attestation is read once a minute, and nothing is attested while the chain is silent', async () => {
  const { rpcUrl } = testChain()
  await using node = await faultyRpc(rpcUrl)
  const on = { rpcUrl, rpcUrls: [node.url], mine: async () => {} }
  await using w = await world({ identities: true, on })
  const { seller, id } = await mintedCard(w)
  const shown = async () => (await seller.get(`/api/cards/${id}/identity`)).body.identity
  const asked = () => node.asked.length
  expect((await shown()).attested).toBe(true)
  const before = asked()
  for (let i = 0; i < 20; i++) expect((await shown()).attested).toBe(true)
  expect(asked()).toBe(before)
  await w.advance(61)
  node.fault(() => SILENCE)
  expect(await shown()).toMatchObject({ attested: false, identity_status: 'FINAL' })
  node.fault(undefined)
  expect((await shown()).attested).toBe(true)
})

test('a card that nobody else has paid gets none, nor does any card of a service without a vault', async () => {
  await using w = await world({ identities: true })
  const user = await w.user()
  const card = await user.card()
  const asked = await user.post(`/api/cards/${card.id}/identity`)
  expect([asked.status, asked.body.code]).toEqual([409, 'no_counted_payment'])
  const withdrawn = await user.post(`/api/cards/${card.id}/identity/withdraw`)
  expect([withdrawn.status, withdrawn.body.code]).toEqual([409, 'invalid_state'])
  expect((await user.get(`/api/cards/${card.id}/identity`)).body.identity).toMatchObject({
    identity_status: 'NONE',
    identity_token: null,
    holder_address: null,
    chain_status: 'NONE',
    attested: false,
    custody: 'CUSTODIAL',
    holder_explorer_url: null,
  })
  await using none = await w.machine({ identities: false })
  for (const path of ['identity', 'identity/withdraw']) {
    const refused = await none.as(user).post(`/api/cards/${card.id}/${path}`)
    expect([refused.status, refused.body.code]).toEqual([503, 'identity_unavailable'])
  }
})
