import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifyEvidence } from '../../../../../sdk/src/proof/evidence.ts'
import {
  closeUnder,
  directMandate,
  openShop,
  openTerms,
  settleBody,
  settleWith,
  signOpen,
  termsFor,
} from '../../../../test/actors/ap2/shop.ts'
import { expectEachFlipNamed } from '../../../../test/actors/evidence-kit.ts'
import { type User, world } from '../../../../test/world.ts'

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url')
/** The JWT of a mandate, without its disclosures. */
const jwtOf = (token: string) => token.split('~')[0] ?? ''

/** The text that the signature of a mandate is over. */
const signedTextOf = (token: string) => jwtOf(token).split('.').slice(0, 2).join('.')

/** A shop, and the keys of the service. */
async function opened() {
  const w = await world()
  const shop = await openShop(w)
  const { keys } = (await w.call('GET', '/.well-known/jwks.json')).body
  const read = (user: User, id: string) => user.get(`/api/payments/${id}/evidence`)
  const verdictOf = async (user: User, id: string) => {
    const { text, status } = await read(user, id)
    expect(status, text).toBe(200)
    return { text, ...(await verifyEvidence(text, { keys })) }
  }
  return { w, shop, keys, read, verdictOf, [Symbol.asyncDispose]: () => w[Symbol.asyncDispose]() }
}

/** Settles a link by a mandate that the card's user signed. */
async function settled(it: Awaited<ReturnType<typeof opened>>) {
  const { w, shop } = it
  const terms = termsFor(w, shop.link, shop.card)
  const mandate = await directMandate(terms, shop.userKey)
  const { body, status, text } = await settleWith(shop.payer, settleBody(shop, mandate))
  expect(status, text).toBe(201)
  return { terms, mandate, id: body.settlement_id as string }
}

test.concurrent('a settlement by a mandate has it by its hashes, with the decision and the settlement, and not its signature', async () => {
  await using it = await opened()
  const { shop } = it
  const { terms, mandate, id } = await settled(it)
  const { text, ok, faults, parts, seller } = await it.verdictOf(shop.payer, id)
  expect({ ok, faults, seller }).toEqual({
    ...{ ok: true, faults: [], seller: { offer: null, receipt: null } },
  })
  expect(parts).toMatchObject({
    payment: {
      ...{ settlement_id: id, direction: 'sent', protocol: 'ap2', card_id: shop.card.id },
      ...{ amount_atomic: '25000000', merchant: shop.link.code },
    },
    offer: null,
    decisions: [{ type: 'decision.allowed', rule: expect.any(String) }],
    mandate: {
      ...{ mandate_id: terms.id, open_mandate_id: null, currency: terms.amount.currency },
      ...{ amount_minor: String(terms.amount.amount) },
      // Recomputed from the token: whoever has the mandate finds it by these, and nobody else learns it.
      ...{ reference: digestOf(jwtOf(mandate)), mandate_sd_hash: digestOf(mandate) },
    },
    settlement: {
      ...{ status: 'SETTLED', tx_hash: null, authorization: null },
      events: [{ type: 'payment.settled' }],
    },
    served: null,
    receipt: null,
  })
  const [, , signature = ''] = jwtOf(mandate).split('.')
  expect(signature).not.toBe('')
  for (const secret of [signature, shop.card.token]) expect(text).not.toContain(secret)
})

test.concurrent('one under an open mandate names that too', async () => {
  await using it = await opened()
  const { w, shop } = it
  const terms = openTerms(w, { shop })
  const open = await signOpen(terms, shop.userKey)
  const closed = await closeUnder(w, open, {
    terms: termsFor(w, shop.link, shop.card),
    key: shop.agentKey,
  })
  const paid = await settleWith(shop.payer, settleBody(shop, closed, { open_mandate: open }))
  expect(paid.status, paid.text).toBe(201)
  const { ok, parts } = await it.verdictOf(shop.payer, paid.body.settlement_id)
  expect(ok).toBe(true)
  expect(parts.mandate).toMatchObject({
    open_mandate_id: `sha256:${digestOf(signedTextOf(open))}`,
    reference: digestOf(jwtOf(closed)),
  })
})

test.concurrent('a flip of any byte is named, and one within a part names the part', async () => {
  await using it = await opened()
  const { id } = await settled(it)
  const { text } = await it.verdictOf(it.shop.payer, id)
  await expectEachFlipNamed(text, { keys: it.keys })
})

test.concurrent('who is paid has its own evidence, without the mandate; to everybody else there is none', async () => {
  await using it = await opened()
  const { shop } = it
  const { id } = await settled(it)
  const { ok, parts } = await it.verdictOf(shop.seller, id)
  expect(ok).toBe(true)
  expect(parts).toMatchObject({
    payment: { direction: 'received', card_id: shop.sellerCard.id },
    ...{ mandate: null, decisions: [], settlement: { status: 'SETTLED' } },
  })

  const stranger = await it.w.user()
  const mine = (await it.verdictOf(shop.payer, id)).payment
  for (const name of [id, mine]) {
    const theirs = await it.read(stranger, name)
    const none = await it.read(stranger, `${name.slice(0, 4)}01k00000000000000000000000`)
    expect([theirs.status, theirs.body.error]).toEqual([404, none.body.error])
  }
})

test.concurrent('a refund that follows is in the next evidence, and the earlier one stays good', async () => {
  await using it = await opened()
  const { shop } = it
  const { id } = await settled(it)
  const before = await it.verdictOf(shop.payer, id)
  const refund = await shop.seller.post(`/api/payments/${id}/refund`, { amount: 5 })
  expect(refund.status, refund.text).toBe(200)
  const after = await it.verdictOf(shop.payer, id)
  expect(after.parts).toMatchObject({
    payment: { refunded_atomic: '5000000' },
    mandate: before.parts.mandate,
  })
  expect(await verifyEvidence(before.text, { keys: it.keys })).toMatchObject({ ok: true })
})
