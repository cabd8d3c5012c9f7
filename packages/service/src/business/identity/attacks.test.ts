import { createWalletClient, http } from 'viem'
import { expect, test } from 'vitest'
import {
  mintedCard,
  moveToken,
  sightOf,
  vaultOfWorld,
} from '../../../test/actors/identity/identities.ts'
import { freshAccount } from '../../../test/world/chain.ts'
import { type World, world } from '../../../test/world.ts'
import { all, sql } from '../../base/db/sql.ts'
import { signAct, type VaultAct } from '../../chain/client/identity/vault.ts'

/** Relays the act as a stranger. Returns whether the vault took it. */
async function relayed(w: World, act: VaultAct, signedBy = w.chain): Promise<boolean> {
  const stranger = await freshAccount()
  const { to, data, gas } = await signAct(signedBy, vaultOfWorld(w), act)
  const client = createWalletClient({ account: stranger, transport: http(w.rpcUrl) })
  const hash = await client.sendTransaction({ chain: null, to, data, gas })
  const receipt = await w.chain.rpc.waitForTransactionReceipt({ hash, pollingInterval: 50 })
  return receipt.status === 'success'
}

test('the vault obeys the custody key alone, once for each act, and sends a token to its owner of record', async () => {
  await using w = await world({ identities: true })
  const { seller, id } = await mintedCard(w)
  const mallory = await freshAccount()
  const owner = mallory.address
  const asMallory = { ...w.chain, treasury: mallory }
  const assign = { kind: 'assign', cardId: id, owner, step: 2n } as const
  expect(await relayed(w, assign, asMallory)).toBe(false)
  expect(await relayed(w, { kind: 'mint', cardId: id, uri: 'x', owner })).toBe(false)
  expect(await relayed(w, { kind: 'release', cardId: id, owner, step: 2n })).toBe(false)
  const to = seller.account.address
  const release = { kind: 'release', cardId: id, owner: to, step: 2n } as const
  expect(await relayed(w, { ...release, step: 3n })).toBe(false)
  expect(await relayed(w, release)).toBe(true)
  const sight = await sightOf(w, id)
  expect(sight).toMatchObject({ tokenOwner: seller.wallet, step: 2n })
  await moveToken(w, {
    ...{ from: seller.account, to: vaultOfWorld(w), tokenId: sight!.tokenId, safely: true },
  })
  expect(await relayed(w, release)).toBe(false)
  expect(await sightOf(w, id)).toMatchObject({ tokenOwner: vaultOfWorld(w), step: 2n })
})

test("another wallet's card has no identity to read, mint or withdraw", async () => {
  await using w = await world({ identities: true })
  const { id } = await mintedCard(w)
  const mallory = await w.user()
  const replies = await Promise.all([
    mallory.get(`/api/cards/${id}/identity`),
    mallory.post(`/api/cards/${id}/identity`),
    mallory.post(`/api/cards/${id}/identity/withdraw`),
  ])
  expect(replies.map(({ status, body }) => [status, body.code])).toEqual(
    Array(3).fill([404, 'not_found']),
  )
})

test('the database keeps a final token to its card, and one token to one card', async () => {
  await using w = await world({ identities: true })
  const { id, row } = await mintedCard(w)
  const attempt = (statement: ReturnType<typeof sql>) =>
    w.db.write(async (tx) => void (await statement.execute(tx)))
  await expect(
    attempt(sql`update identities set token_id = token_id + 1 where card_id = ${id}`),
  ).rejects.toThrow(/becomes|does not become/)
  await expect(
    attempt(sql`update identities set state = 'FAILED', reason = 'x' where card_id = ${id}`),
  ).rejects.toThrow()
  await expect(attempt(sql`delete from identities where card_id = ${id}`)).rejects.toThrow(
    /insert only/,
  )
  await expect(
    attempt(sql`insert into identities (card_id, network, registry, owner_wallet, asked_by, base_url, state, token_id, holder_address,
      created_at, checked_at) values ('card_other', ${row.network}, ${row.registry}, ${row.ownerWallet}, ${row.ownerWallet}, 'x', 'FINAL',
      ${row.tokenId}, ${`0x${'9'.repeat(40)}`}, now(), now())`),
  ).rejects.toThrow(/one_token_per_card/)
  expect(await all(w.db.reader, sql`select 1 from identities`)).toHaveLength(1)
})
