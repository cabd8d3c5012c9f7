import { expect, test } from 'vitest'
import {
  type CardId,
  carried,
  mintedCard,
  moveToken,
  paidCard,
  rowOf,
  sightOf,
} from '../../../test/actors/identity/identities.ts'
import { type World, world } from '../../../test/world.ts'
import { all, sql } from '../../base/db/sql.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { readIdentities } from './identity.ts'
import { carryIdentity } from './on-chain/carry.ts'
import { watchIdentities } from './on-chain/watch.ts'
import { beginOutsideMove, endOutsideMove, requestMint, requestTransfer } from './request.ts'

const sell = (w: World, cardId: CardId, toWallet: string, fromWallet = toWallet) =>
  w.db.write((tx) =>
    requestTransfer(tx, w.now(), {
      ...{ settings: w.services.settings, cardId, toWallet: toWallet as Address },
      askedBy: fromWallet as Address,
    }),
  )
const tasks = async (w: World, name: string) =>
  (
    await all(
      w.db.reader,
      sql`select 1 from graphile_worker._private_jobs j
        join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = ${name}`,
    )
  ).length
const eventsOf = async (w: World, wallet: string) =>
  (
    await all<{ data: { identity_status: string } }>(
      w.db.reader,
      sql`select data from events where wallet_address = ${wallet}
        and type = 'credential.identity_updated' order by id`,
    )
  ).map(({ data }) => data.identity_status)

test('a sold card takes its identity along, attested anew, in one transaction', async () => {
  await using w = await world({ identities: true })
  const { seller, id, row } = await mintedCard(w)
  const before = await sightOf(w, id)
  const buyer = await w.user()
  await sell(w, id, buyer.wallet)
  await expect(sell(w, id, seller.wallet)).rejects.toMatchObject({ code: 'identity_moving' })
  expect(await rowOf(w, id)).toMatchObject({ state: 'TRANSFERRING', move: 'assign' })
  const after = await carried(w, id)
  expect(after).toMatchObject({ state: 'FINAL', ownerWallet: buyer.wallet, attempts: 2 })
  const sight = await sightOf(w, id)
  expect(sight).toMatchObject({ owner: buyer.wallet, isAttested: true, step: 2n })
  expect(sight?.attestation).not.toBe(before?.attestation)
  expect(sight?.holder).toBe(row.holderAddress)
  expect(await eventsOf(w, buyer.wallet)).toEqual(['TRANSFERRING', 'FINAL'])
})

test('a card that is sold without an identity gets one, for the buyer', async () => {
  await using w = await world({ identities: true })
  await w.withGas()
  const [seller, buyer] = [await w.user(), await w.user()]
  const { id } = await seller.card()
  await sell(w, id as CardId, buyer.wallet)
  expect(await carried(w, id as CardId)).toMatchObject({ ownerWallet: buyer.wallet })
  expect(await sightOf(w, id as CardId)).toMatchObject({ owner: buyer.wallet, step: 1n })
})

test('a sale while the mint is on its way ends with the buyer', async () => {
  await using w = await world({ identities: true })
  await w.withGas()
  const { seller, id } = await paidCard(w)
  await seller.post(`/api/cards/${id}/identity`)
  await carryIdentity(w.services, w.now(), id)
  const buyer = await w.user()
  await sell(w, id, buyer.wallet)
  expect(await carried(w, id)).toMatchObject({ state: 'FINAL', ownerWallet: buyer.wallet })
  expect(await sightOf(w, id)).toMatchObject({ owner: buyer.wallet, isAttested: true })
})

test('a withdrawn identity is sold on chain only, and its way to the buyer is no detachment', async () => {
  await using w = await world({ identities: true })
  const { seller, id, row } = await mintedCard(w)
  await expect(w.db.write((tx) => beginOutsideMove(tx, w.now(), id))).rejects.toMatchObject({
    code: 'invalid_state',
  })
  await seller.post(`/api/cards/${id}/identity/withdraw`)
  await carried(w, id)
  const buyer = await w.user()
  await expect(sell(w, id, buyer.wallet)).rejects.toMatchObject({ code: 'identity_withdrawn' })

  await w.db.write((tx) => beginOutsideMove(tx, w.now(), id))
  const to = buyer.account.address
  await moveToken(w, { from: seller.account, to, tokenId: row.tokenId! })
  await watchIdentities(w.services, undefined, w.now())
  await carryIdentity(w.services, w.now(), id)
  expect(await rowOf(w, id)).toMatchObject({ state: 'TRANSFERRING', ownerWallet: seller.wallet })
  await w.db.write((tx) => endOutsideMove(tx, w.now(), { cardId: id, toWallet: to }))
  expect(await carried(w, id)).toMatchObject({
    ...{ state: 'FINAL', custody: 'WITHDRAWN', ownerWallet: buyer.wallet },
  })
  expect(await sightOf(w, id)).toMatchObject({ owner: buyer.wallet, isAttested: true })

  await w.db.write((tx) => beginOutsideMove(tx, w.now(), id))
  await w.db.write((tx) => endOutsideMove(tx, w.now(), { cardId: id, toWallet: null }))
  expect(await carried(w, id)).toMatchObject({ state: 'FINAL', ownerWallet: buyer.wallet })
})

test('the watcher finds a token that its holder moved, and tells the market once', async () => {
  await using w = await world({ identities: true })
  const { seller, id, row } = await mintedCard(w)
  await seller.post(`/api/cards/${id}/identity/withdraw`)
  expect(await tasks(w, 'identity_detached')).toBe(1)
  await carried(w, id)
  await watchIdentities(w.services, undefined, w.now())
  expect((await rowOf(w, id)).state).toBe('FINAL')
  const other = await w.user()
  await moveToken(w, {
    ...{ from: seller.account, to: other.account.address, tokenId: row.tokenId! },
  })
  await watchIdentities(w.services, undefined, w.now())
  expect(await tasks(w, 'carry_identity')).toBe(1)
  await carried(w, id)
  expect((await readIdentities(w.db.reader, [id])).get(id)).toMatchObject({
    ...{ status: 'DETACHED', attested: false, custody: 'WITHDRAWN' },
  })
  expect(await tasks(w, 'identity_detached')).toBe(1)
})

test('many workers at once mint one token and assign it once', async () => {
  await using w = await world({ identities: true })
  await using other = await w.machine()
  await w.withGas()
  const { seller, id } = await paidCard(w)
  const asked = await Promise.all(
    Array.from({ length: 8 }, () => seller.post(`/api/cards/${id}/identity`)),
  )
  expect(asked.map(({ status }) => status)).toEqual(Array(8).fill(200))
  const both = () =>
    Promise.all([w, other, w, other].map((m) => carryIdentity(m.services, m.now(), id)))
  for (let i = 0; i < 4; i++) await both().then(() => w.safe())
  expect(await carried(w, id)).toMatchObject({ state: 'FINAL', attempts: 1 })
  const buyer = await w.user()
  await sell(w, id, buyer.wallet)
  for (let i = 0; i < 4; i++) await both().then(() => w.safe())
  expect(await carried(w, id)).toMatchObject({ state: 'FINAL', attempts: 2 })
  expect(await sightOf(w, id)).toMatchObject({ owner: buyer.wallet, step: 2n })
})

test('a restored backup finds the token that it has forgotten, and mints no second', async () => {
  await using w = await world({ identities: true })
  await w.withGas()
  const { seller, id } = await paidCard(w)
  const backup = await w.backup()
  await seller.post(`/api/cards/${id}/identity`)
  const { tokenId } = await carried(w, id)
  await using restored = await backup.restore()
  expect((await readIdentities(restored.db.reader, [id])).get(id)?.status).toBe('NONE')
  const card = { id, walletAddress: seller.wallet }
  const { settings } = restored.services
  const asked = await restored.db.write((tx) => requestMint(tx, restored.now(), { settings, card }))
  expect(asked).toBe('queued')
  expect(await carried(restored, id)).toMatchObject({ state: 'FINAL', tokenId, attempts: 0 })
})

test('what a gift costs is its giver’s ration: the receiver keeps its own', async () => {
  await using w = await world({ identities: true })
  const { seller, id } = await mintedCard(w)
  const receiver = await w.user()
  await sell(w, id, receiver.wallet, seller.wallet)
  await carried(w, id)
  const rations = await all<{ scope: string; moves: number }>(
    w.db.reader,
    sql`select scope, moves from identity_rations where scope in (${seller.wallet}, ${receiver.wallet})`,
  )
  expect(rations).toEqual([{ scope: seller.wallet, moves: 1 }])
})
