import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { parsePaymentSignature } from '../../service/src/base/protocols/x402/payment/payload.ts'
import { newAddress } from '../../service/test/actors/facilitator-kit.ts'
import { settler } from '../../service/test/sellers/x402-sellers.ts'
import { world } from '../../service/test/world.ts'
import { agentOf, overHttp, use } from './clients.ts'

const TRACE = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'forecast', arguments: { city: 'Reykjavik' } },
}

// The tool takes the money and fails, and serves the same payment when it is called again.
test('pay buys from a paid tool of another MCP server, once, until it serves, and passes the trace on', async () => {
  await using w = await world()
  const { asset, network } = w.chain
  const settle = await settler(asset as never)
  const payTo = newAddress()
  const seen: any[] = []
  const demand = {
    x402Version: 2,
    error: 'Payment required',
    resource: { url: 'mcp://tool/forecast', description: 'Pay again and again' },
    accepts: [
      {
        scheme: 'exact',
        network,
        asset: asset.contract,
        amount: '10000',
        payTo,
        maxTimeoutSeconds: 60,
        extra: { name: 'USDC', version: '2' },
      },
    ],
  }
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request))
    seen.push(body)
    const payment = body.params._meta?.['x402/payment']
    if (payment) {
      const header = Buffer.from(JSON.stringify(payment)).toString('base64')
      const parsed = parsePaymentSignature(header)
      if (!parsed.ok) throw new Error(parsed.detail)
      if (seen.length === 2) await settle(parsed.payload)
    }
    const isServed = payment && seen.length > 2
    const result = isServed
      ? {
          content: [{ type: 'text', text: 'Clear, 4 °C' }],
          _meta: { 'x402/payment-response': { success: true } },
        }
      : {
          isError: true,
          ...(!payment && { structuredContent: demand }),
          content: [{ type: 'text', text: '{}' }],
        }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, result }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  const { key, card, user } = await agentOf(w)
  const client = await overHttp(await w.listen(), { key, cardToken: card.token })
  const given = { url, body: CALL, intent_id: 'forecast-1', max_amount: '0.05' }

  const buying = use(client, 'pay', given, { traceparent: TRACE })
  // The chain's word comes by a job.
  await w.workUntil(
    async () => (await user.get(`/api/payments?card_id=${card.id}`)).body.payments[0],
    (payment) => payment?.status === 'SETTLED',
  )
  const failed = await buying
  expect(failed.data, failed.text).toMatchObject({ outcome: 'seller_failed' })
  expect(failed.text).toContain('Call pay again with intent_id forecast-1')
  const bought = await use(client, 'pay', given, { traceparent: TRACE })
  expect(bought.data, bought.text).toMatchObject({
    transaction_id: failed.data.transaction_id,
    outcome: 'paid',
    receipt: { amount_debited: 0.01005, settlement_status: 'SETTLED' },
  })
  expect(bought.text).toContain('Clear, 4 °C')
  expect(seen.map(({ params }) => params._meta?.traceparent)).toEqual([undefined, TRACE, TRACE])
  const again = await use(client, 'pay', given, { traceparent: TRACE })
  expect(again.data).toMatchObject({
    outcome: 'paid',
    duplicate_of: bought.data.transaction_id,
  })
  expect(seen).toHaveLength(3)
  expect((await user.get(`/api/cards/${card.id}`)).body.card.spent).toBe(0.01005)

  const dear = { ...given, intent_id: 'forecast-2', max_amount: '0.001' }
  expect((await use(client, 'pay', dear)).data).toMatchObject({ outcome: 'refused' })
  await client.close()
  server.close()
})
