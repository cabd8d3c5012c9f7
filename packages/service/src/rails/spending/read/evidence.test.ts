import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifyEvidence } from '../../../../../sdk/src/proof/evidence.ts'
import { ProofError } from '../../../../../sdk/src/proof/shape.ts'
import { expectEachFlipNamed } from '../../../../test/actors/evidence-kit.ts'
import { officialSeller } from '../../../../test/sellers/x402-sellers.ts'
import { world } from '../../../../test/world.ts'

/** A payment to an official seller, its evidence as text, and the keys of the service. */
async function paid() {
  const w = await world()
  const seller = await officialSeller({ price: '$0.01' })
  const user = await w.user({ treasury: 10 })
  const card = await user.card({ limit: 5 })
  // The books are compared with a block that has a successor.
  for (const _ of [1, 2, 3]) await w.block()
  const order = { card_id: card.id, card_token: card.token, url: seller.url, body: {} }
  const answer = await user.post('/api/pay', order)
  expect(answer.body, answer.text).toMatchObject({ outcome: 'paid' })
  const id = answer.body.transaction_id as string
  const { text, status } = await user.get(`/api/payments/${id}/evidence`)
  expect(status, text).toBe(200)
  const { keys } = (await user.get('/.well-known/jwks.json')).body
  return {
    ...{ w, seller, user, card, answer, id, text, keys },
    async [Symbol.asyncDispose]() {
      await seller[Symbol.asyncDispose]()
      await w[Symbol.asyncDispose]()
    },
  }
}

test.concurrent('the evidence of a payment has its offer, decision, settlement, served bytes and receipt, and no secret', async () => {
  await using it = await paid()
  const verdict = await verifyEvidence(it.text, { keys: it.keys, payment: it.id })
  expect(verdict).toMatchObject({ ok: true, faults: [], payment: it.id, issuer_known: true })
  const txHash = it.answer.body.settlement.tx_hash
  expect(verdict.parts).toMatchObject({
    payment: { id: it.id, card_id: it.card.id, amount_atomic: '10050', fee_atomic: '50' },
    offer: { method: 'POST', url: it.seller.url, offer: { payTo: it.seller.payTo } },
    decisions: [{ type: 'decision.allowed', rule: expect.any(String) }],
    mandate: null,
    settlement: { tx_hash: txHash, authorization: { pay_to: it.seller.payTo } },
    served: { status: 200, sha256: it.answer.body.response.sha256, truncated: false },
    receipt: { success: true, transaction: txHash },
  })
  const served = createHash('sha256').update(JSON.stringify(it.answer.body.response.body))
  expect(served.digest('hex')).toBe(it.answer.body.response.sha256)
  const { headerValue } = (await import('../store.ts').then(({ findPayment }) =>
    findPayment(it.w.db.reader, it.id),
  ))!
  for (const secret of [it.card.token, headerValue!]) expect(it.text).not.toContain(secret)
})

test.concurrent('a flip of any byte is named, and one within a part names the part', async () => {
  await using it = await paid()
  await expectEachFlipNamed(it.text, { keys: it.keys })
})

test.concurrent('a signature has one spelling: the bits that its last character leaves over are read too', async () => {
  await using it = await paid()
  const { statement } = JSON.parse(it.text) as { statement: string }
  const last = statement.charCodeAt(statement.length - 1)
  const other = statement.slice(0, -1) + String.fromCharCode(last + 1)
  await expect(
    verifyEvidence(it.text.replace(statement, other), { keys: it.keys }),
  ).rejects.toThrow('not written in base64url')
})

test.concurrent('a key is trusted for what the reader knew, not for being in the file', async () => {
  await using it = await paid()
  expect(await verifyEvidence(it.text)).toMatchObject({
    ok: false,
    issuer_known: false,
    faults: [],
  })
  const [key] = it.keys
  expect(await verifyEvidence(it.text, { thumbprint: key.kid })).toMatchObject({ ok: true })
  const stranger = await verifyEvidence(it.text, { thumbprint: 'a'.repeat(43) })
  expect(stranger).toMatchObject({ ok: false, faults: [expect.stringContaining('not by')] })
  expect(await verifyEvidence(it.text, { keys: [] })).toMatchObject({ ok: false })
  const other = await verifyEvidence(it.text, { keys: it.keys, payment: 'txn_other' })
  expect(other).toMatchObject({ ok: false, faults: [expect.stringContaining('txn_other')] })
  await expect(verifyEvidence(`${it.text} `, { keys: it.keys })).rejects.toThrow(ProofError)
})

test.concurrent('the evidence of another wallet looks like that of no payment', async () => {
  await using it = await paid()
  const other = await it.w.user({ treasury: 1 })
  const theirs = await other.get(`/api/payments/${it.id}/evidence`)
  const none = await other.get('/api/payments/txn_01k00000000000000000000000/evidence')
  expect(theirs.status).toBe(404)
  expect(theirs.body.error).toEqual(none.body.error)
})
