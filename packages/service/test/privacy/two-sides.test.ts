import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeMandate, createAgentKey } from '../../../sdk/src/purser.ts'
import { type Held, issue, open } from '../actors/attack-kit.ts'
import { directSeller, present, x402Payer } from '../actors/direct/direct-kit.ts'
import { agree, days, monthly } from '../billing/kit.ts'
import { bought, listed } from '../market/kit.ts'
import { prove, register } from '../webhooks/kit.ts'
import { receiver } from '../webhooks/receiver.ts'
import { freshAccount } from '../world/chain.ts'
import { type Reply, type User, type World, world } from '../world.ts'
import { leaksAmong, newWitness, readingPaths, stranger, type Witness, watched } from './witness.ts'

// Each payment has two sides, and a sold card two owners. No answer, event or page of one may hold what is the other's.
type Party = { user: User; witness: Witness; hook: Awaited<ReturnType<typeof receiver>> }
let w: World
let base: string
let payer: Party
let seller: Party
let buyer: Party
beforeAll(async () => {
  w = await world()
  await w.withGas()
  base = await w.listen()
  await prove(w)
  payer = await party('payer')
  seller = await party('seller')
  buyer = await party('buyer')
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  for (const { hook } of [payer, seller, buyer]) await hook[Symbol.asyncDispose]()
  await w[Symbol.asyncDispose]()
})

const ok = (reply: Reply): any => {
  expect(reply.status, reply.text).toBeLessThan(300)
  return reply.body
}
const named = ({ id, token }: Held) => ({ card_id: id, card_token: token })

/** A wallet with a webhook, a restricted key, and words of its own in whatever it may name. */
async function party(name: string): Promise<Party> {
  const witness = newWitness(name)
  const user = watched(await w.user({ treasury: 500 }), witness)
  const hook = await receiver()
  await register(user, { url: hook.url, description: `secret-description-${name}` })
  ok(
    await user.post('/api/keys/restricted', {
      name: `secret-key-${name}`,
      scopes: ['cards:read'],
    }),
  )
  return { user, witness, hook }
}

const marked = (of: Party, limit: number): Promise<Held> =>
  issue(of.user, limit, {
    purpose: `secret-purpose-${of.witness.name}`,
    metadata: { note: `secret-metadata-${of.witness.name}` },
  })

/** A payment of each kind from the payer's card to the seller's till, and what may follow each. */
async function payInEveryWay(card: Held, till: Held): Promise<{ stream: string }> {
  const links = await Promise.all(
    [{}, { type: 'RECURRING', max_uses: 0 }, { accepted_protocols: ['mpp'] }].map((more) =>
      open(seller.user, till, { metadata: { note: 'secret-link-seller' }, ...more }),
    ),
  )
  const [byCard, byMandate, byUrl] = links.map(({ code }) => code)
  const headers = { 'idempotency-key': 'secret-idempotency-payer' }
  const asked = { payer_card_id: card.id, payer_card_token: card.token }
  ok(await payer.user.post(`/api/pay/${byCard}/settle`, asked, { headers }))
  await payByMandate(card, byMandate ?? '')
  const asking = { ...named(card), url: `${base}/pay/${byUrl}`, method: 'GET' }
  expect(ok(await payer.user.post('/api/pay', asking, { headers })).outcome).toBe('paid')
  const agreement = await agree(
    payer.user,
    card,
    monthly(byMandate ?? '', { amount: 1, description: 'a magazine', plan_ref: 'gold' }),
  )
  for (const { user } of [payer, seller])
    for (const verb of ['pause', 'resume'])
      ok(await user.post(`/api/billing/agreements/${agreement.id}/${verb}`))
  await days(w, 32)
  // A failed charge tells the seller nothing of why.
  ok(await payer.user.post(`/api/cards/${card.id}/freeze`))
  await days(w, 31)
  ok(await payer.user.post(`/api/cards/${card.id}/unfreeze`))
  const stream = await payByStream(card, till)
  await payDirect()
  const { payments } = ok(await seller.user.get('/api/payments?limit=100'))
  const refundable = payments.filter((one: any) => one.card_id === till.id)
  expect(refundable.length).toBeGreaterThanOrEqual(5)
  for (const { id } of refundable)
    ok(await seller.user.post(`/api/payments/${id}/refund`, { amount: 0.1 }))
  return { stream }
}

async function payByMandate(card: Held, code: string): Promise<void> {
  const order = { ...named(card), pay_link_code: code }
  const { mandate, mandate_id } = ok(await payer.user.post('/api/ap2/mandate', order))
  const presented = { pay_link_code: code, closed_mandate: mandate }
  // A seller that was handed the mandate tries it.
  seller.witness.known.add(mandate_id).add(card.id)
  ok(await seller.user.post('/api/ap2/verify', presented))
  seller.witness.known.delete(card.id)
  const settled = ok(
    await payer.user.post('/api/ap2/settle', { ...presented, card_token: card.token }),
  )
  ok(await seller.user.get(`/api/ap2/receipts/${settled.settlement_id}`))
  const key = await createAgentKey()
  ok(
    await payer.user.post('/api/ap2/keys', {
      ...{ ...named(card), jwk: key.publicJwk, role: 'user', label: 'secret-label-payer' },
    }),
  )
  const { ap2 } = ok(await payer.user.get(`/api/pay/${code}/prepare`))
  const signed = await closeMandate({ link: ap2, cardId: card.id, key, at: w.now() })
  const closed = { pay_link_code: code, closed_mandate: signed.closedMandate }
  ok(await payer.user.post('/api/ap2/settle', { ...closed, card_token: card.token }))
}

async function payByStream(card: Held, till: Held): Promise<string> {
  const merchant = 'secret-session-payer'
  const session = ok(await payer.user.post('/api/mpp/session', { ...named(card), merchant }))
  const terms = { ...named(card), budget: 2, tick_amount: 0.5, receiver_card_id: till.id }
  const opened: string[] = []
  for (const more of [{ session_id: session.session_id }, {}]) {
    const { id } = ok(await payer.user.post('/api/mpp/stream/open', { ...terms, ...more }))
    ok(await payer.user.post('/api/mpp/stream/tick', { ...named(card), stream_id: id }))
    opened.push(id)
  }
  for (const id of opened) {
    ok(await seller.user.get(`/api/mpp/stream/${id}`))
    ok(await seller.user.post('/api/mpp/stream/close', { stream_id: id }))
  }
  return opened[0] ?? ''
}

/** Somebody pays the seller's own wallet on chain. */
async function payDirect(): Promise<void> {
  const shop = await directSeller(w, seller.user)
  const account = await freshAccount({ usdc: 2_000_000n })
  const url = `${base}/pay/${(await shop.open()).code}`
  const response = await present(url, await x402Payer(account).header(url))
  payer.witness.see(`GET ${url}`, await response.text())
}

/** Everything that is to be read at this moment, by everybody: with the ids of all, in paths and in filters. */
async function readAll(): Promise<void> {
  await w.runJobs()
  await w.deliver()
  const parties = [payer, seller, buyer]
  for (const { hook, witness } of parties)
    for (const { body, headers } of hook.got.splice(0))
      witness.see('webhook', `${JSON.stringify(headers)}\n${body}`)
  const own = parties.flatMap(({ witness }) => [...witness.seen.keys()])
  const shared = parties.flatMap(({ witness }) => [...witness.shared])
  const paths = readingPaths([...new Set([...own, ...shared])])
  for (const { user } of [...parties, nobody])
    for (const path of paths) expect((await user.get(path)).status, path).toBeLessThan(500)
  for (const { user, witness } of parties) witness.see('stream', await streamed(user))
}

/** All events of the wallet, as the stream of events sends them. */
async function streamed(user: User): Promise<string> {
  const { events } = (await user.get('/api/events?limit=100')).body
  const headers = { authorization: `Bearer ${user.key}` }
  const ended = new AbortController()
  const { signal } = ended
  const response = await fetch(`${base}/api/events/stream?after=0`, { headers, signal })
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk)
    if (events.every(({ id }: { id: string }) => text.includes(id))) break
  }
  ended.abort()
  return text
}

let nobody: Pick<Party, 'user' | 'witness'>
test('two sides of a payment, and two owners of a card, see nothing of each other', async () => {
  const witness = newWitness('nobody')
  nobody = { witness, user: watched(stranger(w), witness) }
  const till = await issue(seller.user, 20, { purpose: 'a shop', metadata: { kind: 'shop' } })
  const card = await marked(payer, 50)
  await marked(seller, 5)
  // Named by its owner, so that a stream can name it.
  payer.witness.known.add(till.id)
  await payInEveryWay(card, till)
  // The till spends, too: that is not the next owner's business.
  const others = await open(payer.user, await marked(payer, 1), { amount: 2 })
  const spent = { payer_card_id: till.id, payer_card_token: till.token }
  ok(await seller.user.post(`/api/pay/${others.code}/settle`, spent))
  await readAll()
  expect(leaksAmong(all())).toEqual([])
  const received = ok(await seller.user.get('/api/payments?direction=received&limit=100')).payments
  expect(received.length).toBeGreaterThanOrEqual(8)
  for (const { merchant, protocol } of received)
    if (protocol !== 'x402') expect(merchant).toBe(payer.user.wallet)
  for (const sold of [
    { owner: seller, card: till },
    { owner: payer, card },
  ])
    await sell(sold)
  await readAll()
  expect(leaksAmong(all())).toEqual([])
  await checkEarlierOwner(card)
})

/** A wallet that has sold the card it paid with keeps its receipts, and is shown nothing of what the card does now. */
async function checkEarlierOwner(card: Held): Promise<void> {
  ok(await buyer.user.post(`/api/cards/${card.id}/freeze`))
  const { payments } = ok(await payer.user.get('/api/payments?direction=sent&limit=100'))
  const paid = payments.filter((one: any) => one.card_id === card.id)
  expect(new Set(paid.map((one: any) => one.card_status))).toEqual(new Set(['CLOSED']))
  const byMandate = paid.filter((one: any) => one.protocol === 'ap2')
  expect(byMandate.length).toBeGreaterThanOrEqual(2)
  for (const { settlement_id: id } of byMandate) ok(await payer.user.get(`/api/ap2/receipts/${id}`))
  const { keys } = ok(await buyer.user.get(`/api/ap2/keys?card_id=${card.id}`))
  expect(keys).toEqual([])
}

const all = () => [...[payer, seller, buyer].map(({ witness }) => witness), nobody.witness]

/** Sells a card. What it received goes with it, and its id is known to all from the listing on. */
async function sell({ owner, card }: { owner: Party; card: Held }): Promise<void> {
  const { transactions } = ok(await owner.user.get(`/api/cards/${card.id}/transactions`))
  for (const { id, direction, refund_of } of transactions)
    if ((direction === 'received') === (refund_of === undefined)) buyer.witness.known.add(id)
  ok(await owner.user.send('PATCH', `/api/cards/${card.id}/controls`, { allowed_merchants: [] }))
  const listing = await listed(owner.user, card)
  for (const { known } of all()) known.add(card.id)
  // The labels of a card and of its links are part of what is sold.
  for (const kind of ['purpose', 'metadata', 'link'])
    buyer.witness.known.add(`secret-${kind}-${owner.witness.name}`)
  const { card: mine } = await bought(buyer.user, listing)
  ok(await buyer.user.post(`/api/cards/${mine.id}/freeze`))
  const received = ok(await buyer.user.get(`/api/cards/${card.id}/transactions`)).transactions
  ok(await buyer.user.post(`/api/cards/${mine.id}/unfreeze`))
  const [first] = received.filter(
    (one: any) => one.direction === 'received' && one.amount - one.refunded >= 0.1,
  )
  if (first) ok(await buyer.user.post(`/api/payments/${first.id}/refund`, { amount: 0.1 }))
}
