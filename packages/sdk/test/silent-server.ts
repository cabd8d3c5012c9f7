// Run with --expose-gc: makes the calls of the SDK against a server that falls silent, while memory is collected, and prints
// how each of them ended. Arguments: the half of the answer after which the server is silent, and what ends the calls.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApiKey, createPurser, type Purser, PurserError } from '../src/purser.ts'

const [half, ender] = process.argv.slice(2)
const COLLECT_EVERY_MS = 100
const ENDS_AFTER_MS = 600

const silent = createServer((request, response) => {
  if (half === 'head') return
  const isStream = request.headers.accept === 'text/event-stream'
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
  response.write('{"a":')
})
await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
setInterval(() => (globalThis as unknown as { gc(): void }).gc(), COLLECT_EVERY_MS)

const isBySignal = ender === 'signal'
const options = { baseUrl, apiKey: 'key', ...(isBySignal ? {} : { timeoutMs: ENDS_AFTER_MS }) }
const purser = createPurser(options)
const card = { id: 'card_1', token: 'tok_1' }
const mandate = { closedMandate: 'a', openMandate: 'b' }
const wallet = { address: '0x1', signMessage: async () => 'signed' }

type Stop = { signal?: AbortSignal }
const first = (rows: AsyncGenerator<unknown>) => rows.next()
const calls: Record<string, (stop: Stop) => Promise<unknown>> = {
  GET: (stop) => purser.GET('/api/balance', stop),
  POST: (stop) => purser.POST('/api/withdraw', { ...stop, body: { amount: '1' } as never }),
  PATCH: (stop) =>
    purser.PATCH('/api/cards/{id}/controls', { ...stop, ...idOf('card_1') } as never),
  DELETE: (stop) => purser.DELETE('/api/webhooks/{id}', { ...stop, ...idOf('wh_1') } as never),
  issueCard: (stop) => purser.issueCard({ purpose: 'x', limit_amount: '1' }, stop),
  pay: (stop) => purser.pay(card, { url: 'https://seller.test/' }, stop),
  authorize: (stop) => purser.authorize(card, { challenge: {} } as never, stop),
  settlement: (stop) =>
    purser.settlement('txn_1', { ...stop, ...(isBySignal ? {} : { timeoutMs: ENDS_AFTER_MS }) }),
  createPayLink: (stop) => purser.createPayLink({ amount: '1' } as never, stop),
  settleMandate: (stop) => purser.settleMandate(card, 'PL_1', mandate as never, stop),
  payByMandate: (stop) => purser.payByMandate(card, 'PL_1', {} as never, stop),
  listCards: (stop) => first(purser.listCards(stop)),
  listTransactions: (stop) => first(purser.listTransactions('card_1', stop)),
  listEvents: (stop) => first(purser.listEvents(stop)),
  createApiKey: (stop) => createApiKey(options, wallet, stop),
  // Only its signal ends it: it waits for events for ever.
  ...(isBySignal && { followEvents: (stop: Stop) => first(purser.followEvents(stop)) }),
} satisfies Partial<Record<keyof Purser | 'createApiKey', (stop: Stop) => Promise<unknown>>>

function idOf(id: string) {
  return { params: { path: { id } } }
}

const startedAt = performance.now()
const ended = await Promise.all(
  Object.entries(calls).map(async ([name, call]) => {
    const stop = new AbortController()
    if (isBySignal) setTimeout(() => stop.abort(new Error('enough')), ENDS_AFTER_MS)
    const code = await call(isBySignal ? { signal: stop.signal } : {}).then(
      () => 'ended',
      (error: unknown) => (error instanceof PurserError ? error.code : String(error)),
    )
    return [name, { code, afterMs: Math.round(performance.now() - startedAt) }] as const
  }),
)
process.stdout.write(JSON.stringify(Object.fromEntries(ended)))
process.exit()
