import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { createAgentKey, createApiKey, createPurser, PurserError } from '../src/purser.ts'

/** Speaks these bytes for one request after another, the last ones for ever, and then closes the connection. */
async function speak(...answers: string[]) {
  const keys: (string | undefined)[] = []
  const server = createServer((socket) => {
    let text = ''
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (end < 0 || text.length < end + 4 + length) return
      keys.push(/idempotency-key: (\S+)/i.exec(text)?.[1])
      text = ''
      socket.end((answers.length > 1 ? answers.shift() : answers[0]) ?? '')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { keys, baseUrl, [Symbol.dispose]: () => void server.close() }
}

const answer = (status: string, type: string, body: string, length = body.length) =>
  `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\nretry-after: 0\r\n\r\n${body}`
const BODY = '{"success":true,"card":{"id":"card_1"},"balances":[]}'
const WHOLE = answer('200 OK', 'application/json', BODY)
const CHUNKED =
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'
/** JSON that is not the answer of the operation. */
const ODD = [
  'null',
  '[]',
  '"x"',
  '7',
  'true',
  '{}',
  '{"success":true}',
  '{"success":true,"card":[]}',
]
const PAGE = '<h1>Bad gateway</h1>'

const LOST: [string, string, { status: number; code: string }][] = [
  ['nothing', '', { status: 0, code: 'connection_failed' }],
  ['half a status line', 'HTTP/1.1 2', { status: 0, code: 'connection_failed' }],
  ['half a head', WHOLE.slice(0, 40), { status: 0, code: 'connection_failed' }],
  ['a head alone', WHOLE.slice(0, -BODY.length), { status: 0, code: 'connection_failed' }],
  ['half a body', WHOLE.slice(0, -10), { status: 0, code: 'connection_failed' }],
  ['half a chunk', `${CHUNKED}35\r\n{"succ`, { status: 0, code: 'connection_failed' }],
  ['no last chunk', `${CHUNKED}35\r\n${BODY}\r\n`, { status: 0, code: 'connection_failed' }],
  [
    'half a body without a length',
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n${BODY.slice(0, 20)}`,
    { status: 200, code: 'unreadable_answer' },
  ],
  [
    '200 with a page',
    answer('200 OK', 'text/html', PAGE),
    { status: 200, code: 'unreadable_answer' },
  ],
  [
    '200 without a body',
    answer('200 OK', 'text/plain', ''),
    { status: 200, code: 'unreadable_answer' },
  ],
  ...ODD.map((body): [string, string, { status: number; code: string }] => [
    `200 with ${body}`,
    answer('200 OK', 'application/json', body),
    { status: 200, code: 'unreadable_answer' },
  ]),
  [
    '206 with half of it',
    answer('206 Partial Content', 'application/json', BODY.slice(0, -1)),
    { status: 206, code: 'unreadable_answer' },
  ],
  ['204', 'HTTP/1.1 204 No Content\r\n\r\n', { status: 204, code: 'unreadable_answer' }],
  ...['502 Bad Gateway', '503 Service Unavailable', '504 Gateway Timeout'].flatMap((line) => {
    const status = Number(line.slice(0, 3))
    return [
      [`${status} with a page`, answer(line, 'text/html', PAGE), { status, code: 'unknown' }],
      [`${status} without a body`, answer(line, 'text/plain', ''), { status, code: 'unknown' }],
      [
        `${status}, cut`,
        answer(line, 'text/html', PAGE, 99),
        { status: 0, code: 'connection_failed' },
      ],
    ] satisfies [string, string, object][]
  }),
]

const ORDER = { purpose: 'x', limit_amount: '1' }
const faultOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error) => error,
  )

test.concurrent.each(LOST)(
  'after %s a read and a write are sent again, under one key',
  async (_name, bytes) => {
    using s = await speak(bytes, WHOLE, bytes, WHOLE)
    const purser = createPurser({ baseUrl: s.baseUrl, apiKey: 'k' })
    expect(await purser.GET('/api/balance')).toMatchObject({ balances: [] })
    expect(await purser.issueCard(ORDER)).toEqual({ id: 'card_1' })
    const [none, noneAgain, key, again] = s.keys
    expect([none, noneAgain]).toEqual([undefined, undefined])
    expect(key).toMatch(/^[0-9a-f-]{36}$/)
    expect(again).toBe(key)
  },
)

test.concurrent.each(LOST)(
  '%s for ever is a PurserError that says what may have happened',
  async (_name, bytes, said) => {
    using s = await speak(bytes)
    const purser = createPurser({ baseUrl: s.baseUrl, apiKey: 'k', retries: 1 })
    const read = await faultOf(purser.GET('/api/balance'))
    expect(read).toBeInstanceOf(PurserError)
    expect(read).toMatchObject({ ...said, mayHaveHappened: false })
    const write = await faultOf(purser.issueCard(ORDER))
    expect(write).toBeInstanceOf(PurserError)
    expect(write).toMatchObject({ ...said, mayHaveHappened: true, idempotencyKey: s.keys[2] })
    expect(s.keys[3]).toBe(s.keys[2])
    // A payment of a link takes no key, so it is not sent again.
    const payment = await faultOf(
      purser.POST('/api/pay/{code}/settle', {
        params: { path: { code: 'PL_1' } },
        body: { protocol: 'card', payer_card_id: 'card_1', payer_card_token: 'tok_1' },
      }),
    )
    expect(payment).toMatchObject({ ...said, mayHaveHappened: true })
    expect(s.keys).toHaveLength(5)
  },
)

const refusal = (status: string, code: string) =>
  answer(status, 'application/json', JSON.stringify({ error: 'No.', code, request_id: 'req_1' }))

test.concurrent.each([
  ['403 Forbidden', 'insufficient_balance', false],
  ['401 Unauthorized', 'invalid_api_key', true],
  ['404 Not Found', 'unknown', true],
])(
  'a lost write that is then refused with %s %s may have happened: %s',
  async (status, code, may) => {
    using s = await speak('', refusal(status, code))
    const purser = createPurser({ baseUrl: s.baseUrl, apiKey: 'k' })
    const error = await faultOf(purser.issueCard(ORDER))
    expect(error).toMatchObject({ code, mayHaveHappened: may })
  },
)

// A proxy gives up waiting with 408, and one before the seller's own service may pass a 402 on.
test.concurrent.each(['402 Payment Required', '408 Request Timeout'])(
  'a write that a proxy answers with %s may have happened, a read and a refusal of the service have not',
  async (line) => {
    const status = Number(line.slice(0, 3))
    using s = await speak(answer(line, 'application/json', '{"error":"Payment required"}'))
    const purser = createPurser({ baseUrl: s.baseUrl, apiKey: 'k' })
    const write = await faultOf(purser.issueCard(ORDER))
    expect(write).toMatchObject({ status, mayHaveHappened: true, idempotencyKey: s.keys[0] })
    expect(await faultOf(purser.GET('/api/balance'))).toMatchObject({ mayHaveHappened: false })
    using refusing = await speak(refusal(line, 'insufficient_balance'))
    const refused = createPurser({ baseUrl: refusing.baseUrl, apiKey: 'k' }).issueCard(ORDER)
    expect(await faultOf(refused)).toMatchObject({ status, mayHaveHappened: false })
  },
)

test('a refusal, and a service that is not there, say that nothing happened', async () => {
  using s = await speak(refusal('403 Forbidden', 'insufficient_balance'))
  const refused = createPurser({ baseUrl: s.baseUrl, apiKey: 'k' }).issueCard(ORDER)
  expect(await faultOf(refused)).toMatchObject({ mayHaveHappened: false })
  const { baseUrl, [Symbol.dispose]: close } = await speak('')
  close()
  const absent = createPurser({ baseUrl, retries: 0 }).issueCard(ORDER)
  expect(await faultOf(absent)).toMatchObject({ mayHaveHappened: false, code: 'connection_failed' })
})

test('a signal that fired before the call sends nothing', async () => {
  using s = await speak(WHOLE)
  const purser = createPurser({ baseUrl: s.baseUrl, apiKey: 'k' })
  const call = purser.issueCard(ORDER, { signal: AbortSignal.abort('enough') })
  expect(await faultOf(call)).toMatchObject({
    code: 'aborted',
    cause: 'enough',
    mayHaveHappened: false,
  })
  expect(s.keys).toEqual([])
})

test('a body that the caller streams is its own, and ends with the signal or with a PurserError', async () => {
  using s = await speak(WHOLE.slice(0, -10))
  const purser = createPurser({ baseUrl: s.baseUrl })
  const open = async (signal?: AbortSignal) => {
    const made = await purser.GET('/api/balance', {
      parseAs: 'stream',
      ...(signal && { signal }),
    })
    return made as unknown as ReadableStream<Uint8Array>
  }
  const cut = await faultOf(new Response(await open()).text())
  expect(cut).toMatchObject({ code: 'connection_failed', mayHaveHappened: false })
  const stop = new AbortController()
  const reader = (await open(stop.signal)).getReader()
  stop.abort('enough')
  expect(await faultOf(reader.read())).toBe('enough')
})

test('a feed behind a proxy that answers a page is an error, not a wait', async () => {
  using s = await speak(answer('200 OK', 'text/html', PAGE))
  const following = createPurser({ baseUrl: s.baseUrl }).followEvents().next()
  expect(await faultOf(following)).toMatchObject({ code: 'unreadable_answer' })
})

test.each(ODD)('no call of the SDK ends with an error of its own on %s', async (body) => {
  using s = await speak(answer('200 OK', 'application/json', body))
  const purser = createPurser({ baseUrl: s.baseUrl, apiKey: 'k', retries: 0 })
  const card = { id: 'card_1', token: 'tok_1' }
  const wallet = { address: '0x1', signMessage: async () => '0x2' }
  const key = await createAgentKey()
  const mandate = { closedMandate: 'x' }
  for (const call of [
    () => purser.issueCard(ORDER),
    () => purser.authorize(card, { challenge: {}, resource: 'https://seller.example/' }),
    () => purser.settlement('txn_1'),
    () => purser.createPayLink({ card_id: 'card_1', amount: '1' }),
    () => purser.settleMandate(card, 'PL_1', mandate),
    () => purser.payByMandate(card, 'PL_1', { key }),
    () => purser.listCards().next(),
    () => purser.listTransactions('card_1').next(),
    () => purser.listEvents().next(),
    () => createApiKey({ baseUrl: s.baseUrl, retries: 0 }, wallet),
  ])
    expect(await faultOf(call()), String(call)).toMatchObject({
      name: 'PurserError',
      code: 'unreadable_answer',
    })
  // An answer without an outcome counts as unknown, which nobody pays again.
  const paid = await purser
    .pay(card, { url: 'https://seller.example/' })
    .catch((error: PurserError) => error)
  if (paid instanceof PurserError) expect(paid.code).toBe('unreadable_answer')
  else expect(paid.outcome).toBe('unknown')
})
