import { encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import {
  carried,
  mintedCard,
  moveToken,
  registryAbi,
  rowOf,
  sightOf,
  vaultOfWorld,
} from '../../../test/actors/identity/identities.ts'
import { sendBy } from '../../../test/actors/token-kit.ts'
import { type World, world } from '../../../test/world.ts'
import { sql } from '../../base/db/sql.ts'
import { fundGas } from '../../run/embedded/dev/chain.ts'
import { readNamedTokens, renameTokens } from '../../run/operate/commands/identities.ts'
import { carryIdentity } from './on-chain/carry.ts'
import { watchIdentities } from './on-chain/watch.ts'

const NEW = 'https://new.example'

const uriOf = (w: World, tokenId: bigint) =>
  w.chain.rpc.readContract({
    abi: registryAbi,
    address: w.services.settings.identity!.registry,
    functionName: 'tokenURI',
    args: [tokenId],
  })

test('a kept token names a new address of the service by one transaction, whoever works at it', async () => {
  await using w = await world({ identities: true })
  const { id, row } = await mintedCard(w)
  const uri = `/api/v1/credentials/${id}/registration`
  const old = await uriOf(w, row.tokenId!)
  expect([old.endsWith(uri), row.isNamed, row.attempts]).toEqual([true, true, 1])
  await watchIdentities(w.services, undefined, w.now())
  expect(await carryIdentity(w.services, w.now(), id)).toBe(true)
  expect((await rowOf(w, id)).attempts).toBe(1)

  expect(await renameTokens(w, w.now(), NEW)).toEqual([
    { baseUrl: NEW, tokens: 1, kept: 1, named: 0 },
  ])
  await using other = await w.machine()
  const all = [w, other, w, other]
  for (let i = 0; i < 4; i++) {
    await Promise.all(all.map((m) => carryIdentity(m.services, m.now(), id)))
    await w.safe()
  }
  const named = await carried(w, id)
  expect(named).toMatchObject({ state: 'FINAL', isNamed: true, attempts: 2, move: null })
  expect(await uriOf(w, row.tokenId!)).toBe(`${NEW}${uri}`)
  expect(await sightOf(w, id)).toMatchObject({ step: 2n, isAttested: true })
  expect(await readNamedTokens(w)).toEqual([{ baseUrl: NEW, tokens: 1, kept: 1, named: 1 }])
  expect(await renameTokens(w, w.now(), NEW)).toEqual([
    { baseUrl: NEW, tokens: 1, kept: 1, named: 1 },
  ])
})

test('a day has as many new names as mints, and the watcher sends none beyond', async () => {
  await using w = await world({ identities: true })
  const { id } = await mintedCard(w)
  await renameTokens(w, w.now(), NEW)
  const { identity } = w.services.settings
  const services = { ...w.services, settings: { ...w.services.settings, identity: identity! } }
  services.settings.identity = { ...identity!, perDay: 0 }
  const queued = () =>
    sql<{ n: number }>`select count(*)::integer as n from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'carry_identity' and j.payload ->> 'card_id' = ${id}`
      .execute(w.db.reader)
      .then(({ rows }) => rows[0]?.n)
  const before = await queued()
  await watchIdentities(services, undefined, w.now())
  expect(await queued()).toBe(before)
  // A job that began while there was gas ends, and leaves the rest to the watcher.
  expect(await carryIdentity(services, w.now(), id)).toBe(true)
  expect((await rowOf(w, id)).attempts).toBe(1)
  await watchIdentities(w.services, undefined, w.now())
  expect(await carried(w, id)).toMatchObject({ isNamed: true, attempts: 2 })
})

test('a token in a wallet is named by its owner, and by the service once it is back, unless that costs too much', async () => {
  await using w = await world({ identities: true })
  const { seller, id, row } = await mintedCard(w)
  await seller.post(`/api/cards/${id}/identity/withdraw`)
  await carried(w, id)
  await renameTokens(w, w.now(), NEW)
  const tokenId = row.tokenId!
  expect(await carried(w, id)).toMatchObject({ custody: 'WITHDRAWN', isNamed: false, attempts: 2 })
  expect(await uriOf(w, tokenId)).not.toContain(NEW)

  const args = [tokenId, 'x'.repeat(6_000)] as const
  const data = encodeFunctionData({ abi: registryAbi, functionName: 'setAgentURI', args })
  const address = seller.account.address
  await fundGas({ rpcUrl: w.rpcUrl, address, wei: 10n ** 18n })
  await sendBy(seller.account, w.services.settings.identity!.registry, data, w.rpcUrl)
  const home = { from: seller.account, to: vaultOfWorld(w), tokenId, safely: true }
  await moveToken(w, home)
  const back = await carried(w, id)
  expect(back).toMatchObject({ custody: 'CUSTODIAL', state: 'FINAL', reason: 'uri_refused' })
  expect(await carryIdentity(w.services, w.now(), id)).toBe(true)
  expect((await rowOf(w, id)).attempts).toBe(back.attempts)
})
