import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import {
  closeMandate,
  createApiKey,
  createPurser,
  InvalidRequestError,
  openMandate,
  type Purser,
  PurserError,
  signWebhook,
  verifyEvidence,
  verifyProof,
  verifyReceipt,
  verifyWebhook,
} from './purser.ts'

type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string }
type Step = { status: number; body?: unknown; headers?: Record<string, string> } | 'hang up'

/** A server that answers one step after another, the last one for ever, and remembers what it was asked. */
async function serve(...steps: Step[]) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push({ method: request.method!, url: request.url!, headers: request.headers, body })
    const step = steps.length > 1 ? steps.shift()! : steps[0]!
    if (step === 'hang up') {
      request.socket.destroy()
      return
    }
    response.writeHead(step.status, { 'content-type': 'application/json', ...step.headers })
    response.end(typeof step.body === 'string' ? step.body : JSON.stringify(step.body ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    seen,
    baseUrl,
    purser: createPurser({ baseUrl, apiKey: 'purser_test_key' }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const CARD = { id: 'card_1', token: 'tok_1', balance: 5 }
const keysOf = (seen: Seen[]) => new Set(seen.map((s) => s.headers['idempotency-key']))

test('a call carries the API key, JSON, and an Idempotency-Key of its own', async () => {
  await using s = await serve({ status: 200, body: { success: true, card: CARD } })
  const card = await s.purser.issueCard({ purpose: 'test', limit_amount: '5' })
  await s.purser.issueCard({ purpose: 'test', limit_amount: '5' })

  expect(card).toEqual(CARD)
  expect(s.seen[0]).toMatchObject({ method: 'POST', url: '/api/issue' })
  expect(s.seen[0]!.headers.authorization).toBe('Bearer purser_test_key')
  expect(JSON.parse(s.seen[0]!.body)).toEqual({ purpose: 'test', limit_amount: '5' })
  expect(s.seen[0]!.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
  expect(keysOf(s.seen).size).toBe(2)
})

test('a read carries no Idempotency-Key, and path and query are written in place', async () => {
  const body = { cards: [], has_more: false, card: CARD }
  await using s = await serve({ status: 200, body })
  await s.purser.GET('/api/cards', { params: { query: { status: 'ACTIVE', limit: 2 } } })
  await s.purser.GET('/api/cards/{id}', { params: { path: { id: 'card/1' } } })

  expect(s.seen.map((x) => x.url)).toEqual([
    '/api/cards?status=ACTIVE&limit=2',
    '/api/cards/card%2F1',
  ])
  expect(keysOf(s.seen)).toEqual(new Set([undefined]))
})

test('a lost connection is retried with the same bytes under the same key', async () => {
  await using s = await serve('hang up', 'hang up', {
    status: 200,
    body: { success: true, card: CARD },
  })
  await s.purser.issueCard({ purpose: 'test', limit_amount: 5 })

  expect(s.seen).toHaveLength(3)
  expect(keysOf(s.seen).size).toBe(1)
  expect(new Set(s.seen.map((x) => x.body)).size).toBe(1)
})

test('a request names the lane of the card that pays, the same for each of its payments, and tells no token', async () => {
  const answer: Step = {
    status: 200,
    body: {
      status: 1,
      protocol: 1,
      settlement_id: 1,
      mandate_id: 1,
      pay_link_code: 1,
      amount: 1,
      fee: 1,
      net_amount: 1,
      tx_hash: 1,
      payee: 1,
      receipt_url: 1,
    },
  }
  await using s = await serve(answer, answer, answer, answer)
  const body = { pay_link_code: 'PL_1', closed_mandate: 'm', card_token: 'tok_1' }
  const settle = (given: object) =>
    s.purser.POST('/api/ap2/settle', { body: { ...body, ...given } })
  await settle({})
  await settle({ pay_link_code: 'PL_2' })
  await settle({ card_token: 'tok_2' })
  await s.purser.GET('/api/balance').catch(() => undefined)
  const [first, second, other, none] = s.seen.map((x) => x.headers['x-purser-lane'])
  expect(first).toMatch(/^[0-9a-f]{3}$/)
  expect([second, none]).toEqual([first, undefined])
  expect(other).not.toBe(first)
})

test("the caller's own key is kept", async () => {
  await using s = await serve({ status: 200, body: { success: true, card: CARD } })
  await s.purser.issueCard({ purpose: 'test', limit_amount: 5 }, { idempotencyKey: 'order-7' })
  expect(keysOf(s.seen)).toEqual(new Set(['order-7']))
})

test('a first request that is still at work is waited for', async () => {
  const busy: Step = {
    status: 409,
    headers: { 'retry-after': '0' },
    body: { error: 'Still running.', code: 'idempotency_in_progress', request_id: 'req_1' },
  }
  const done: Step = { status: 200, body: { success: true, card: CARD } }
  await using s = await serve(busy, busy, busy, busy, busy, busy, done)
  await s.purser.issueCard({ purpose: 'test', limit_amount: 5 })
  expect(s.seen).toHaveLength(7)
  expect(keysOf(s.seen).size).toBe(1)
})

test('429 and 503 are retried after the time that they name', async () => {
  const later = (status: number): Step => ({ status, headers: { 'retry-after': '1' } })
  await using s = await serve(
    later(429),
    { status: 503, headers: { 'retry-after': '0' } },
    {
      status: 200,
      body: { balances: [] },
    },
  )
  const started = performance.now()
  await s.purser.GET('/api/balance')
  expect(performance.now() - started).toBeGreaterThanOrEqual(990)
  expect(s.seen).toHaveLength(3)
})

test('a payment of a link by a card, which carries no key, is never sent twice', async () => {
  await using s = await serve('hang up')
  const paying = s.purser.POST('/api/pay/{code}/settle', {
    params: { path: { code: 'PL_1' } },
    body: { protocol: 'card', payer_card_id: 'card_1', payer_card_token: 'tok_1' },
  })
  await expect(paying).rejects.toMatchObject({ status: 0, code: 'connection_failed' })
  expect(s.seen).toHaveLength(1)
})

test('a refusal is a PurserError with all that the service said, and is not retried', async () => {
  await using s = await serve({
    status: 403,
    headers: { 'x-request-id': 'req_9' },
    body: { error: 'Not enough.', code: 'insufficient_balance', request_id: 'req_9', available: 1 },
  })
  const error = await s.purser.issueCard({ purpose: 'x', limit_amount: 5 }).catch((e) => e)
  expect(error).toBeInstanceOf(PurserError)
  expect(error).toMatchObject({
    message: 'Not enough.',
    status: 403,
    code: 'insufficient_balance',
    requestId: 'req_9',
  })
  expect(error.body.available).toBe(1)
  expect(s.seen).toHaveLength(1)
})

test('an answer that is not JSON, as of a proxy, is a PurserError too', async () => {
  await using s = await serve({
    status: 413,
    body: '<h1>Too large</h1>',
    headers: { 'x-request-id': 'req_3' },
  })
  const error = await s.purser.GET('/api/balance').catch((e) => e)
  expect(error).toMatchObject({ status: 413, code: 'unknown', requestId: 'req_3' })
})

test('a service that is not there is one clear sentence, with its cause', async () => {
  const purser = createPurser({ baseUrl: 'http://127.0.0.1:1', retries: 0 })
  const error = await purser.GET('/api/config').catch((e) => e)
  expect(error.message).toBe(
    'http://127.0.0.1:1 could not be reached. Check the base URL, and that the service runs.',
  )
  expect(error.cause).toBeInstanceOf(Error)
})

test('the time for one call ends its retries', async () => {
  await using s = await serve({ status: 503, headers: { 'retry-after': '60' } })
  const purser = createPurser({ baseUrl: s.baseUrl, apiKey: 'k', timeoutMs: 1_500 })
  await expect(purser.GET('/api/balance')).rejects.toMatchObject({ status: 503 })
  expect(s.seen).toHaveLength(1)
})

test('a payment whose outcome is not known says so instead of failing', async () => {
  await using s = await serve({
    status: 202,
    body: { success: false, code: 'outcome_unknown', transaction_id: 'txn_1', amount_debited: 1 },
  })
  const outcome = await s.purser.pay({ id: 'card_1', token: 'tok_1' }, { url: 'https://x.test/a' })
  expect(outcome).toMatchObject({ outcome: 'unknown', transaction_id: 'txn_1' })
  expect(JSON.parse(s.seen[0]!.body)).toEqual({
    card_id: 'card_1',
    card_token: 'tok_1',
    url: 'https://x.test/a',
  })
})

test('paid is said only where the service says so; a seller that fails is an outcome, a refusal is thrown', async () => {
  const response = { status: 404, headers: {}, body: 'no', body_encoding: 'text' }
  await using s = await serve(
    { status: 200, body: { outcome: 'paid', amount_debited: 1 } },
    { status: 200, body: { success: true } },
    { status: 200, body: { outcome: 'not_charged', response, transaction_id: null } },
    { status: 422, body: { error: 'Back.', code: 'payment_rejected', transaction_id: 'txn_1' } },
    { status: 502, body: { error: 'Gone.', code: 'upstream_failed' } },
    { status: 403, body: { error: 'Frozen.', code: 'card_frozen' } },
  )
  const pay = () => s.purser.pay({ id: 'card_1', token: 'tok_1' }, { url: 'https://x.test/a' })
  expect(await pay()).toMatchObject({ outcome: 'paid', amount_debited: 1 })
  expect(await pay()).toMatchObject({ outcome: 'unknown' })
  const nothing = { outcome: 'not_charged', success: false, amount_debited: 0 }
  const asked = 'The seller answered 404 and asked for no payment.'
  expect(await pay()).toEqual({ ...nothing, transaction_id: null, response, reason: asked })
  expect(await pay()).toMatchObject({ ...nothing, transaction_id: 'txn_1', reason: 'Back.' })
  expect(await pay()).toMatchObject({ ...nothing, response: null, reason: 'Gone.' })
  await expect(pay()).rejects.toMatchObject({ status: 403, code: 'card_frozen' })
})

test('a list is read page by page, from the last id on', async () => {
  await using s = await serve(
    { status: 200, body: { transactions: [{ id: 'txn_3' }, { id: 'txn_2' }], has_more: true } },
    { status: 200, body: { transactions: [{ id: 'txn_1' }], has_more: false } },
  )
  const ids: string[] = []
  for await (const row of s.purser.listTransactions('card_1')) ids.push(row.id)
  expect(ids).toEqual(['txn_3', 'txn_2', 'txn_1'])
  expect(s.seen.map((x) => x.url)).toEqual([
    '/api/cards/card_1/transactions?limit=100',
    '/api/cards/card_1/transactions?limit=100&after=txn_2',
  ])
})

test('a wallet gets a key by signing one message', async () => {
  await using s = await serve(
    { status: 200, body: { message: 'sign me', nonce: 'n', expires_at: '' } },
    { status: 200, body: { token: 'session', wallet_address: '0x1', expires_at: '' } },
    { status: 200, body: { api_key: 'purser_test_new' } },
  )
  const key = await createApiKey(
    { baseUrl: s.baseUrl },
    { address: '0x1', signMessage: async ({ message }) => `signed ${message}` },
  )
  expect(key).toBe('purser_test_new')
  expect(JSON.parse(s.seen[1]!.body).signature).toBe('signed sign me')
  expect(s.seen[2]!.headers.authorization).toBe('Bearer session')
})

// A cap or a key under another name would be dropped: the payment goes over the cap, or is made once more.
test('an option that is not known ends the call before anything is asked, and the nearest name is suggested', async () => {
  await using s = await serve({ status: 200, body: { success: true, card: CARD } })
  const calls: [(purser: Purser, wrong: any) => unknown, wrong: object, nearest: string | null][] =
    [
      [(p, wrong) => p.fetch(s.baseUrl, wrong), { max_amount: '0.05' }, 'maxAmount'],
      [(p, wrong) => p.fetch(s.baseUrl, wrong), { maxPrice: '0.05' }, 'maxAmount'],
      [(p, wrong) => p.fetch(s.baseUrl, wrong), { idempotency_key: 'a' }, 'idempotencyKey'],
      [
        (p, wrong) => p.pay(CARD, { url: s.baseUrl }, wrong),
        { idempotency_key: 'a' },
        'idempotencyKey',
      ],
      [(p, wrong) => p.cards.issue({} as never, wrong), { idempotencykey: 'a' }, 'idempotencyKey'],
      [(p, wrong) => p.cards.list({}, wrong).page(), { Signal: 1 }, 'signal'],
      [(p, wrong) => p.listEvents(wrong).next(), { type: ['card.issued'] }, 'types'],
      [(p, wrong) => p.followEvents(wrong).next(), { afterId: 'evt_1' }, 'after'],
      [(p, wrong) => p.settlement('txn_1', wrong), { timeout: 5 }, 'timeoutMs'],
      [(p, wrong) => p.settleMandate(CARD, 'PL_1', wrong), { open_mandate: '' }, 'openMandate'],
      [(p, wrong) => p.payByMandate(CARD, 'PL_1', wrong), { amonut: 5 }, 'amount'],
      [(p, wrong) => p.POST('/api/pay', wrong), { idempotencyKey: 'a', body: {} }, null],
      [
        (p, wrong) => p.POST('/api/pay', { params: { header: wrong } } as never),
        { idempotencyKey: 'a' },
        'Idempotency-Key',
      ],
      [(p, wrong) => p.POST('/api/pay', { params: wrong } as never), { headers: {} }, 'header'],
      [(_, wrong) => createPurser(wrong), { baseURL: s.baseUrl }, 'baseUrl'],
      [(_, wrong) => createApiKey(wrong, {} as never), { timeOut: 5 }, 'timeoutMs'],
      [(_, wrong) => openMandate(wrong), { max_amount: 5 }, 'maxAmount'],
      [
        (_, wrong) => openMandate({ recurrence: wrong } as never),
        { max_occurrences: 5 },
        'maxOccurrences',
      ],
      [(_, wrong) => closeMandate(wrong), { expiresIn: 5 }, 'expiresInSeconds'],
      [(_, wrong) => verifyReceipt('', { keys: [] }, wrong), { mandate: '' }, null],
      [(_, wrong) => verifyProof('', wrong), { thumbPrint: '' }, 'thumbprint'],
      [(_, wrong) => verifyEvidence('', wrong), { payments: '' }, 'payment'],
      [(_, wrong) => verifyWebhook('', {}, '', wrong), { tolerance: 5 }, 'toleranceSeconds'],
      [(_, wrong) => signWebhook('', '', wrong), { ID: 'a' }, 'id'],
    ]
  for (const [call, wrong, nearest] of calls) {
    const asked = new Promise((resolve) => resolve(call(s.purser, wrong)))
    const error = await asked.then(
      () => undefined,
      (thrown) => thrown,
    )
    const name = Object.keys(wrong)[0] ?? ''
    expect(error, name).toBeInstanceOf(InvalidRequestError)
    expect(error).toMatchObject({ code: 'unknown_field', param: name, mayHaveHappened: false })
    if (nearest !== null) expect(error.message).toContain(`: did you mean ${nearest}?`)
  }
  expect(s.seen).toEqual([])
})
