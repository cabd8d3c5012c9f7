import { Challenge } from 'mppx'
import { expect, test } from 'vitest'
import { cardOf, issue } from '../../../../test/actors/attack-kit.ts'
import {
  altered,
  askForToken,
  bodyOf,
  cardCredential,
  challengeIn,
  mppShop,
  withCredential,
} from '../../../../test/actors/mpp-payers.ts'
import { world } from '../../../../test/world.ts'
import { one, sql } from '../../../base/db/sql.ts'
import { writeChallenge } from '../../../base/protocols/mpp/headers/challenge.ts'
import { encodeJson } from '../../../base/protocols/mpp/headers/wire.ts'
import { setFees } from '../../../run/operate/commands/fees.ts'
import { assignCategory } from '../merchants/store.ts'
import { releaseOverdue } from './redeem.ts'
import { findToken } from './store.ts'

const ISSUE = '/api/mpp/agentcard'

test('the same challenge with the same card gets the same credential and one hold, however often and at once', async () => {
  await using w = await world()
  const s = await mppShop(w)
  const answer = await fetch(s.url)
  const header = answer.headers.get('www-authenticate')
  const parsed = Challenge.fromResponseList(answer).find(({ method }) => method === 'agentcard')
  const listed = (await bodyOf(answer)).mpp.find((one: any) => one.method === 'agentcard')
  const asked = [...Array(8).fill(header), parsed, listed]
  const issued = await Promise.all(asked.map((challenge) => askForToken(s.base, s.card, challenge)))
  expect(issued.map(({ status }) => status)).toEqual(asked.map(() => 200))
  expect(new Set(issued.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  const [first] = issued
  expect(first?.body).toMatchObject({
    success: true,
    card_id: s.card.id,
    amount: 0.5,
    header: 'Authorization',
    payload: { type: 'cardToken' },
  })
  expect(await s.cardNow()).toMatchObject({ held: 0.5, spent: 0, balance: 19.5 })
  const [pending] = (await s.agent.get('/api/payments')).body.payments
  expect(pending).toMatchObject({ id: first?.body.transaction_id, status: 'PENDING' })
  const paid = await withCredential(s.url, first?.body.credential)
  expect(paid.status).toBe(200)
  // Also after the token was used: the agent may have lost the answer.
  const again = await askForToken(s.base, s.card, header)
  expect(again.body.credential).toBe(first?.body.credential)
  expect(await s.cardNow()).toMatchObject({ held: 0, spent: 0.5 })
  expect(await w.faults()).toEqual([])
})

test('a token that nobody redeems gives its money back when its challenge expires, once, and pays no more', async () => {
  await using w = await world()
  const s = await mppShop(w, { type: 'RECURRING' })
  const credential = await cardCredential(s)
  await w.runJobs()
  expect((await s.cardNow()).held).toBe(0.5)
  await w.advance(301)
  await w.runJobs()
  expect(await s.cardNow()).toMatchObject({ held: 0, spent: 0, balance: 20, status: 'ACTIVE' })
  const [failed] = (await s.agent.get('/api/payments')).body.payments
  expect(failed).toMatchObject({ status: 'FAILED', protocol: 'mpp' })
  const shown = (await s.agent.get(`/api/payments/${failed.id}`)).body.payment
  expect(shown.timeline).toContainEqual(
    expect.objectContaining({
      type: 'payment.failed',
      data: expect.objectContaining({ reason: 'expired' }),
    }),
  )
  const late = await withCredential(s.url, credential)
  expect([late.status, (await bodyOf(late)).error]).toEqual([402, 'challenge_expired'])
  expect(await s.received()).toBe(0)
  expect(await w.faults()).toEqual([])
})

// Only this service redeems tokens, so a release and a redemption may race: exactly one wins.
test('a redemption while the money is given back is paid or refused, and the money is in one place', async () => {
  await using w = await world()
  const s = await mppShop(w, { type: 'RECURRING' })
  for (let i = 0; i < 6; i++) {
    const before = await s.received()
    const challenge = challengeIn(await fetch(s.url), 'agentcard')
    const { body } = await askForToken(s.base, s.card, writeChallenge(challenge))
    const end = new Date(body.expires_at)
    const of = { challengeId: challenge.id, chain: w.chain }
    const [paid] = await Promise.all([
      withCredential(s.url, body.credential),
      w.write((tx) => releaseOverdue(tx, end, of)),
    ])
    expect([200, 402]).toContain(paid.status)
    const isPaid = paid.status === 200
    expect((await findToken(w.db.reader, challenge.id))?.state).toBe(
      isPaid ? 'redeemed' : 'released',
    )
    expect((await s.received()) > before).toBe(isPaid)
    expect((await s.cardNow()).held).toBe(0)
  }
  expect(await w.faults()).toEqual([])
})

test('the one policy decides: a decline is written down, holds nothing, and says why', async () => {
  await using w = await world()
  const s = await mppShop(w, { type: 'RECURRING' })
  await w.write((tx) =>
    assignCategory(tx, w.now(), { walletAddress: s.seller.wallet, mcc: '5734', note: '' }),
  )
  const ask = async (card: { id: string; token: string }) => {
    const { status, body } = await askForToken(
      s.base,
      card,
      (await fetch(s.url)).headers.get('www-authenticate'),
    )
    return [status, body.code]
  }
  const cases: [more: object, code: string | undefined][] = [
    [{ max_transaction: 0.4 }, 'max_transaction_exceeded'],
    [{ daily_limit: 0.4 }, 'daily_limit_exceeded'],
    [{ mcc_locks: '4816' }, 'mcc_blocked'],
    [{ allowed_merchants: ['PL_0000000000'] }, 'merchant_not_allowed'],
    [{ allowed_merchants: [s.link.code], mcc_locks: '5734' }, undefined],
    [{ allowed_merchants: [s.seller.wallet] }, undefined],
  ]
  for (const [more, code] of cases) {
    const card = await issue(s.agent, 2, more)
    expect(await ask(card)).toEqual(code === undefined ? [200, undefined] : [403, code])
    const { held } = await cardOf(s.agent, card.id)
    expect(held).toBe(code === undefined ? 0.5 : 0)
    const [decision] = (await s.agent.get(`/api/cards/${card.id}/decisions`)).body.decisions
    expect(decision).toMatchObject({ allowed: code === undefined, protocol: 'mpp' })
  }
  const small = await issue(s.agent, 0.4)
  expect(await ask(small)).toEqual([403, 'limit_exceeded'])
  await s.agent.post(`/api/cards/${small.id}/freeze`)
  expect(await ask(small)).toEqual([403, 'card_frozen'])
  // The first token uses up a single-use card, for as long as the token is held.
  const single = await issue(s.agent, 2, { single_use: true })
  expect(await ask(single)).toEqual([200, undefined])
  expect(await ask(single)).toEqual([403, 'card_used'])
})

test('a card that its owner stops pays no more, though its money was set aside', async () => {
  await using w = await world()
  const s = await mppShop(w, { type: 'RECURRING' })
  const credential = await cardCredential(s)
  await s.agent.post(`/api/cards/${s.card.id}/freeze`)
  const frozen = await withCredential(s.url, credential)
  expect([frozen.status, (await bodyOf(frozen)).code]).toEqual([403, 'card_frozen'])
  await s.agent.post(`/api/cards/${s.card.id}/unfreeze`)
  expect((await withCredential(s.url, credential)).status).toBe(200)
  const second = await cardCredential(s)
  await s.agent.post(`/api/cards/${s.card.id}/cancel`)
  const closed = await withCredential(s.url, second)
  expect([closed.status, (await bodyOf(closed)).code]).toEqual([403, 'card_closed'])
  await w.advance(301)
  await w.runJobs()
  expect(await s.cardNow()).toMatchObject({ held: 0, status: 'CLOSED' })
  expect(await s.received()).toBe(0.4975)
  expect(await w.faults()).toEqual([])
})

test('what a card agreed to is paid, though the card expires or its limits are lowered meanwhile', async () => {
  await using w = await world()
  const s = await mppShop(w, { type: 'RECURRING' })
  const short = await issue(s.agent, 2, { expires_in: 0.05 })
  const credential = await cardCredential(s, short)
  await s.agent.send('PATCH', `/api/cards/${short.id}/controls`, { max_transaction: 0.01 })
  await w.advance(200)
  await w.runJobs()
  expect((await cardOf(s.agent, short.id)).status).toBe('EXPIRED')
  expect((await withCredential(s.url, credential)).status).toBe(200)
  expect(await cardOf(s.agent, short.id)).toMatchObject({ held: 0, spent: 0.5 })
  expect(await w.faults()).toEqual([])
})

test('a token pays the fee of the moment at which its money was held, whatever is set before it is redeemed', async () => {
  await using w = await world()
  const s = await mppShop(w, { type: 'RECURRING' })
  const setFee = (...words: string[]) =>
    setFees(
      { db: w.db, chain: w.chain },
      w.now(),
      { words, note: 'agreed' },
      w.services.settings.fee,
    )
  const before = await cardCredential(s)
  await setFee('default', 'settlement', '1000')
  const after = await cardCredential(s)
  const feeOf = async (credential: string) =>
    (await bodyOf(await withCredential(s.url, credential))).fee
  expect(await feeOf(before)).toBe(0.0025)
  expect(await feeOf(after)).toBe(0.05)
  // The same token again answers the same settlement.
  expect(await feeOf(before)).toBe(0.0025)
  await setFee('default', 'settlement', 'none')
  expect(await w.faults()).toEqual([])
})

test('only challenges that this service made, that stand and that are for cards, put money on hold', async () => {
  await using w = await world()
  const s = await mppShop(w)
  const answer = await fetch(s.url)
  const [card, evm] = [challengeIn(answer, 'agentcard'), challengeIn(answer, 'evm')]
  const reasonOf = async (challenge: unknown) => {
    const { status, body } = await askForToken(s.base, s.card, challenge)
    return [status, body.reason ?? body.code]
  }
  const withTerms = (terms: object) => ({
    ...Object.fromEntries(Object.entries(card).filter(([name]) => name !== 'terms')),
    request: encodeJson({ ...card.terms, ...terms }),
  })
  expect(await reasonOf(writeChallenge(evm))).toEqual([422, 'unsupported_method'])
  expect(await reasonOf(withTerms({ amount: '1' }))).toEqual([422, 'challenge_unknown'])
  expect(await reasonOf(withTerms({ recipient: 'PL_0000000000' }))).toEqual([
    422,
    'challenge_unknown',
  ])
  expect(
    await reasonOf(withTerms({ methodDetails: { issuer: 'https://b.example', decimals: 6 } })),
  ).toEqual([422, 'unsupported_issuer'])
  for (const junk of [
    '',
    'x',
    'Bearer realm="x"',
    'Payment id="x"',
    {},
    { request: 5 },
    { id: [] },
  ])
    expect(await reasonOf(junk)).toEqual([400, 'invalid_payment'])
  expect(await reasonOf({ ...withTerms({}), request: { amount: 0.5 } })).toEqual([
    400,
    'invalid_payment',
  ])
  const mine = writeChallenge(card)
  expect(
    (await askForToken(s.base, { ...s.card, token: `tok_${'x'.repeat(43)}` }, mine)).status,
  ).toBe(401)
  expect((await askForToken(s.base, { id: 'card_x', token: s.card.token }, mine)).status).toBe(404)
  const own = await askForToken(s.base, s.till, mine)
  expect([own.status, own.body.code]).toEqual([400, 'invalid_payment'])
  await w.advance(301)
  expect(await reasonOf(mine)).toEqual([422, 'challenge_expired'])
  await s.seller.send('DELETE', `/api/paylinks/${s.link.code}`)
  expect((await s.cardNow()).held).toBe(0)
})

test('of two cards that would pay one challenge the first does, and the other holds nothing', async () => {
  await using w = await world()
  const s = await mppShop(w)
  const other = await issue(s.agent, 5)
  const challenge = writeChallenge(challengeIn(await fetch(s.url), 'agentcard'))
  const issued = await Promise.all([
    askForToken(s.base, s.card, challenge),
    askForToken(s.base, other, challenge),
  ])
  expect(issued.map(({ status }) => status).sort()).toEqual([200, 409])
  const held = [(await s.cardNow()).held, (await cardOf(s.agent, other.id)).held]
  expect(held.sort()).toEqual([0, 0.5])
  expect(await w.faults()).toEqual([])
})

test('a credential whose token names another hold or card takes nothing', async () => {
  await using w = await world()
  const s = await mppShop(w, { type: 'RECURRING' })
  const [mine, theirs] = [await cardCredential(s), await cardCredential(s, await issue(s.agent, 5))]
  const tokenOf = (credential: string) =>
    JSON.parse(Buffer.from(credential.slice(8), 'base64url').toString()).payload.token as string
  const [body, seal] = [tokenOf(theirs).split('.')[0], tokenOf(mine).split('.')[1]]
  for (const token of [tokenOf(theirs), `${body}.${seal}`, `${tokenOf(mine)}.x`]) {
    const mixed = altered(mine, ({ payload }) => Object.assign(payload, { token }))
    expect((await withCredential(s.url, mixed)).status).toBe(402)
  }
  expect(await s.received()).toBe(0)
})

test('the database itself lets a token end once, and only as its hold has', async () => {
  await using w = await world()
  const s = await mppShop(w)
  await cardCredential(s)
  const change = (set: ReturnType<typeof sql>) =>
    w.write((tx) => sql`update agent_card_tokens set ${set}`.execute(tx))
  await expect(change(sql`state = 'redeemed', ended_at = now()`)).rejects.toThrow(/like its hold/)
  await expect(change(sql`state = 'released', ended_at = now()`)).rejects.toThrow(/like its hold/)
  await expect(change(sql`expires_at = now()`)).rejects.toThrow(/like its hold/)
  await expect(change(sql`fee = 0`)).rejects.toThrow(/like its hold/)
  await expect(w.write((tx) => sql`delete from agent_card_tokens`.execute(tx))).rejects.toThrow(
    /insert only/,
  )
  expect(await one(w.db.reader, sql`select state from agent_card_tokens`)).toEqual({
    state: 'held',
  })
})

test('an idempotency key of nobody does no harm', async () => {
  await using w = await world()
  const s = await mppShop(w)
  const challenge = (await fetch(s.url)).headers.get('www-authenticate')
  const body = { card_id: s.card.id, card_token: s.card.token, challenge }
  const headers = { 'idempotency-key': 'k' }
  const issued = await w.call('POST', ISSUE, body, { headers })
  expect(issued.status).toBe(200)
  const stranger = await w.call('POST', ISSUE, { ...body, card_token: 'tok_x' }, { headers })
  expect(stranger.status).toBe(401)
})
