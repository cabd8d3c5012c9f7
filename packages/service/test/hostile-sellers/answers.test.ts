import { inspect } from 'node:util'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomHex } from '../../src/base/kernel/secrets.ts'
import { paymentReceipt } from '../sellers/mpp-sellers.ts'
import { paymentResponse, type Till as TillOf } from '../sellers/x402-sellers.ts'
import { pause } from '../until.ts'
import { expectChainDecides, market, mppStall, stall } from './sellers-kit.ts'

let m: Awaited<ReturnType<typeof market>>
beforeAll(async () => {
  m = await market()
})
afterAll(() => m[Symbol.asyncDispose]())

type Till = TillOf<unknown>
const BOMB_BYTES = 32 * 1024 * 1024
const bomb = Buffer.alloc(BOMB_BYTES)
const BOMBS = {
  gzip: gzipSync(bomb, { level: 1 }),
  deflate: deflateSync(bomb, { level: 1 }),
  br: brotliCompressSync(bomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
}
const write = (till: Till, chunk: Buffer): boolean =>
  till.response.destroyed ? false : till.response.write(chunk)

/** A seller's answers after it has received a payment. Whether it takes the money is a separate choice. */
const ANSWERS: [name: string, answer: (till: Till) => unknown][] = [
  ['fails', ({ response }) => response.writeHead(500).end('no')],
  ['asks for money again', ({ response }) => response.writeHead(402).end('{"accepts":[]}')],
  ['drops the connection', ({ request }) => request.socket.destroy()],
  ['says nothing until after the deadline', () => undefined],
  [
    'drips a byte now and then',
    async (till) => {
      till.response.writeHead(200)
      while (write(till, Buffer.from('.'))) await pause(100)
    },
  ],
  [
    'sends a body without end',
    async (till) => {
      till.response.writeHead(200)
      const block = Buffer.alloc(1024 * 1024, 'x')
      while (!till.response.destroyed) if (!write(till, block)) await pause(5)
    },
  ],
  [
    'sends a gzip bomb',
    ({ response }) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMBS.gzip),
  ],
  [
    'sends a brotli bomb',
    ({ response }) => response.writeHead(200, { 'content-encoding': 'br' }).end(BOMBS.br),
  ],
  [
    'sends a deflate bomb',
    ({ response }) => response.writeHead(200, { 'content-encoding': 'deflate' }).end(BOMBS.deflate),
  ],
  [
    'sends a bomb within a bomb',
    ({ response }) =>
      response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(BOMBS.gzip)),
  ],
  [
    'sends headers without end',
    ({ response }) => response.writeHead(200, { 'x-big': 'x'.repeat(100 * 1024) }).end(),
  ],
  [
    'forges a receipt of no transaction',
    ({ response }) => {
      const forged = randomHex(32)
      response.setHeader('payment-receipt', paymentReceipt(forged, 'x'))
      response.writeHead(200, { 'payment-response': paymentResponse(forged) }).end('ok')
    },
  ],
  [
    'sends a receipt that is no receipt',
    ({ response }) => {
      const nonsense = '{"a":1}'
      response.writeHead(200, { 'payment-response': nonsense, 'payment-receipt': nonsense })
      response.end('ok')
    },
  ],
  [
    'redirects on its own origin',
    ({ response }) => response.writeHead(307, { location: '/elsewhere' }).end(),
  ],
  [
    'breaks off in the middle of the body',
    (till) => {
      till.response.writeHead(200, { 'content-length': '100' })
      till.response.write('half')
      setTimeout(() => till.request.socket.destroy(), 50)
    },
  ],
]

/** Each answer by a seller of each protocol. */
const CASES = ANSWERS.flatMap(([name, answer]) => [
  ['x402', name, stall, answer] as const,
  ['MPP', name, mppStall, answer] as const,
])

test.concurrent.each(CASES)(
  'a seller of %s that takes the money and %s is paid once, by a key asked twice',
  async (_protocol, _name, open, answer) => {
    const p = await open(m, {
      serve: async (till) => {
        await till.settle().catch(() => undefined)
        await answer(till)
      },
    })
    await using _seller = p.seller
    const key = randomHex(8)
    const first = await p.buy(key)
    expect(first.status, first.text).toBe(200)
    expect(first.body.settlement.status).toBe('SETTLED')
    const again = await p.buy(key)
    expect(again.body.transaction_id).toBe(first.body.transaction_id)
    // A seller that has not served yet is shown the same payment again.
    expect(new Set(p.seller.paid.map((payment) => inspect(payment, { depth: 9 }))).size).toBe(1)
    await expectChainDecides(m, p, true)
  },
)

test.concurrent.each(CASES)(
  'a seller of %s that does not take the money and %s leaves a hold, and one authorization',
  async (_protocol, _name, open, answer) => {
    const p = await open(m, { serve: (till) => void answer(till) })
    await using _seller = p.seller
    const first = await p.buy()
    expect([200, 202], first.text).toContain(first.status)
    expect(first.body.settlement).toMatchObject({ status: 'PENDING' })
    const isLost = first.status === 202
    if (isLost) {
      // Also without a key: a repeated request that had no answer means the same payment.
      const again = await p.buy()
      expect(again.body.transaction_id, again.text).toBe(first.body.transaction_id)
      expect(p.seller.paid).toHaveLength(2)
    }
    await expectChainDecides(m, p, false)
  },
)
