import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { pause, until } from '../../service/test/until.ts'
import { BIN } from '../test/stand-in.ts'
import { terminal } from '../test/terminal.ts'

const PAY = ['pay', 'https://seller.example/', '--card', 'card_1']
const HINT = /Repeat the command with --idempotency-key (\S+), and it is not done twice\./
const SHOWN_AFTER_MS = 1_300
const PAID = { success: true, outcome: 'paid', transaction_id: 'txn_1', amount_debited: 1 }

/** A service that takes requests, and answers as `answer` says: `undefined` cuts the connection, `never` hangs. */
async function loseAnswers(answer: (n: number) => object | 'never' | undefined) {
  const keys: unknown[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    await text(request)
    keys.push(request.headers['idempotency-key'])
    const body = answer(keys.length)
    if (body === undefined) response.destroy()
    else if (body !== 'never')
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    keys,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
const env = (baseUrl: string) => ({
  PURSER_BASE_URL: baseUrl,
  PURSER_API_KEY: 'purser_test_x',
  PURSER_CARD_TOKEN: 'tok_x',
})

test('a payment whose answer was lost names its key, and goes on under it', async () => {
  let isLost = true
  const response = { status: 200, headers: {}, body: 'goods' }
  const whole = { ...PAID, token: 'USDC', network: 'x', protocol: 'x402', settlement: null }
  const answer = { ...whole, merchant_amount: 1, platform_fee: 0, response, receipt: null }
  await using service = await loseAnswers(() => (isLost ? undefined : { ...answer, problem: null }))
  await using here = await terminal(env(service.baseUrl))

  const lost = await here.run(...PAY)
  expect(lost).toMatchObject({ code: 1, out: '' })
  const key = HINT.exec(lost.error)?.[1] ?? ''
  // The attempts of one command are one payment.
  expect(new Set(service.keys)).toEqual(new Set([key]))
  isLost = false
  expect((await here.run(...PAY, '--idempotency-key', key)).code).toBe(0)
  expect(service.keys.at(-1)).toBe(key)

  isLost = true
  const asJson = JSON.parse((await here.run('meter', 'topup', '5', '--json')).out)
  expect(asJson).toMatchObject({ may_have_happened: true, idempotency_key: service.keys.at(-1) })
  await here.run('meter', 'topup', '5', '--idempotency-key', asJson.idempotency_key)
  expect(service.keys.at(-1)).toBe(asJson.idempotency_key)
})

test('a payment that Ctrl-C cuts off names its key', async () => {
  await using service = await loseAnswers(() => 'never')
  const child = spawn(process.execPath, [BIN, ...PAY], {
    env: { ...env(service.baseUrl), PATH: process.env.PATH ?? '', PURSER_DATA_DIR: '/nowhere' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = Promise.all([text(child.stderr), once(child, 'exit')])
  await until(
    () => service.keys.length,
    (seen) => expect(seen).toBe(1),
  )
  child.kill('SIGINT')
  const [stderr, [code]] = await said
  expect(code).toBe(130)
  expect(HINT.exec(stderr)?.[1]).toBe(service.keys[0])
})

test('a reader that closes the pipe is no failure', async () => {
  const child = spawn(process.execPath, [BIN, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test('a terminal sees what is waited for after a second, and a file nothing', async () => {
  await using service = await loseAnswers(() => ({ slow: true }))
  await using here = await terminal(env(service.baseUrl))
  const said: string[] = []
  const isTerminal = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said.push(String(text))
    return true
  })
  const slowly = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    await pause(SHOWN_AFTER_MS)
    return Response.json({ success: true, membership: null, auto_renew: null })
  })
  const before = process.stderr.isTTY
  for (const isTTY of [true, false]) {
    process.stderr.isTTY = isTTY
    said.length = 0
    expect((await here.run('membership')).code).toBe(0)
    const waiting = said.filter((text) => /Waiting for 127\.0\.0\.1:\d+ 1 s$/.test(text))
    expect(waiting).toHaveLength(isTTY ? 1 : 0)
    expect(said.at(-1)).toBe(isTTY ? '\r\u001b[K' : undefined)
  }
  process.stderr.isTTY = before
  isTerminal.mockRestore()
  slowly.mockRestore()
})
