import { expect, test } from 'vitest'
import { readIdentities } from '../../src/business/identity/identity.ts'
import { carryIdentity } from '../../src/business/identity/on-chain/carry.ts'
import { maintainSends } from '../../src/chain/relay/maintain.ts'
import { type CardId, paidCard, rowOf, sightOf } from '../actors/identity/identities.ts'
import { until } from '../until.ts'
import { type OwnWorld, ownWorld, SAFE_BLOCKS } from './own-world.ts'

const carry = (own: OwnWorld, id: CardId) =>
  own.during(carryIdentity(own.w.services, own.w.now(), id))
const statusOf = async (own: OwnWorld, id: CardId) =>
  (await readIdentities(own.w.db.reader, [id])).get(id)?.status

test.each([1, 3])(
  'a mint whose block is undone, %i deep, is pending again, and is made once',
  async (depth) => {
    await using own = await ownWorld({ identities: true })
    const { seller, id } = await own.during(paidCard(own.w))
    await seller.post(`/api/cards/${id}/identity`)
    await carry(own, id)
    await carry(own, id)
    expect(await statusOf(own, id)).toBe('MINTED')
    expect(await rowOf(own.w, id)).toMatchObject({ tokenId: null, holderAddress: null })
    await own.blocks(depth - 1)
    await own.reorg(depth)
    expect(await sightOf(own.w, id)).toBe(undefined)
    const looking = carryIdentity(own.w.services, own.w.now(), id)
    await until(
      () => statusOf(own, id),
      (seen) => expect(seen).toBe('PENDING'),
    )
    await own.during(maintainSends(own.w.services.relay, own.w.now()))
    await own.during(looking)
    await own.blocks(1)
    await own.during(maintainSends(own.w.services.relay, own.w.now()))
    await own.blocks(SAFE_BLOCKS + 1)
    await carry(own, id)
    expect(await rowOf(own.w, id)).toMatchObject({ state: 'FINAL', attempts: 1 })
    expect(await sightOf(own.w, id)).toMatchObject({ owner: seller.wallet, step: 1n })
  },
)
