import { randomHex } from '../../src/base/kernel/secrets.ts'
import { openContentOf } from '../../src/base/protocols/ap2/issue/terms.ts'
import { publicJwkOf } from '../../src/base/protocols/ap2/jose/keys.ts'
import { DEV_TOKENS } from '../../src/run/embedded/dev/tokens.ts'
import { newKey, secondsFrom, signOpen } from '../actors/ap2/shop.ts'
import { signed } from '../actors/attack-kit.ts'
import { depositBody, xPayment } from '../actors/authorizations.ts'
import { ask, newAddress } from '../actors/facilitator-kit.ts'
import { sample } from '../every-route/stage.ts'
import type { Exposed } from './exposed.ts'
import { demandOf } from './metered-world.ts'
import { agreementOf, challengeOf, mandateOf, type Stage } from './stage.ts'

/** One request of an attack. `fill` holds the values of path parameters. */
export type Shot = {
  fill?: Record<string, string>
  query?: string
  body?: unknown
  headers?: Record<string, string>
}
/** Makes the i-th request: as costly as a caller without money can make it, and different each time. */
export type Attack = (stage: Stage, i: number) => Shot | Promise<Shot>

const cardOf = ({ card }: Stage) => ({ card_id: card.id, card_token: card.token })
/** Tops up the fee meter of a wallet that has no DIRECT sales. */
const thresholdOf = ({ chain }: Stage['w']) => ({
  merchant_wallet: chain.treasury.address,
  amount: 1,
  trigger_type: 'threshold',
  threshold_metric: 'svc_fee_balance',
  threshold_floor: 1,
})
const hash = () => randomHex(32)
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const FULL_URL = (stage: Stage, i: number) => encodeURIComponent(stage.shop.urlOf(i))

const payUrl: Attack = (stage, i) => ({
  body: { ...cardOf(stage), url: stage.shop.urlOf(i), method: 'GET' },
})
/** A call of a tool of MCP, which calls operations of this server in its turn. */
const callTool =
  (name: string, argsOf: (stage: Stage, i: number) => object): Attack =>
  (stage, i) => ({
    headers: {
      accept: 'application/json, text/event-stream',
      'purser-card-token': stage.card.token,
    },
    body: {
      ...{ jsonrpc: '2.0', id: i, method: 'tools/call' },
      params: { name, arguments: argsOf(stage, i) },
    },
  })
const byX402: Attack = async ({ w, payer, depositAddress }) => ({
  headers: xPayment(await signed(w, payer, depositAddress as `0x${string}`, 1_000_000n)),
})
const byDirectX402: Attack = async ({ w, payer, direct }) => ({
  fill: { code: direct.code },
  headers: xPayment(await signed(w, payer, direct.payTo, 500_000n)),
})
/** A transfer of somebody else: the chain is asked for it, and for the account that should have signed. */
const byOthersTransfer: Attack = ({ direct: { code, txHash, from } }) => ({
  fill: { code },
  body: { tx_hash: txHash, from_address: from, signature: randomHex(65) },
})
const byCardToken: Attack = (stage) => ({
  body: { payer_card_id: stage.card.id, payer_card_token: stage.card.token },
})
const facilitated: Attack = async ({ payer }) => ({ body: await ask(payer, newAddress()) })

/** The attacks on routes that cost more if called with care. Every other route gets `plainly`. */
export const ATTACKS: Record<string, readonly Attack[]> = {
  'GET /api/v1/credentials/{ref}': [
    ({ card }) => ({ fill: { ref: card.id } }),
    () => ({ fill: { ref: newAddress() } }),
  ],
  'GET /api/v1/credentials/{ref}/registration': [({ card }) => ({ fill: { ref: card.id } })],
  'GET /api/v1/credentials/{ref}/proof': [
    ({ card }) => ({ fill: { ref: card.id } }),
    ({ card }) => ({ fill: { ref: card.id }, query: 'leaves=all' }),
  ],
  'POST /api/auth/challenge': [() => ({ body: { wallet_address: newAddress() } })],
  'POST /api/auth/verify': [
    ({ greeting }) => ({ body: { message: greeting, signature: randomHex(65) } }),
    () => ({ body: { message: 'nonce', signature: randomHex(65) } }),
  ],
  // A stream that opens stays open: its row names the test of that.
  'GET /api/events/stream': [() => ({ query: `after=evt_${'0'.repeat(26)}` })],
  'POST /api/keys/restricted': [() => ({ body: { name: 'x', scopes: ['cards:read'] } })],
  'GET /api/wallet/balance': [() => ({ query: `address=${newAddress()}` })],
  'POST /api/fund/verify': [() => ({ body: { tx_hash: hash() } })],
  'POST /api/fund/authorization': [
    async ({ w, poor }) => ({
      body: depositBody(await signed(w, poor.account, w.chain.treasury.address, 1_000_000n)),
    }),
  ],
  'POST /api/issue': [
    () => ({ body: { purpose: 'x', limit_amount: 1 } }),
    () => ({ body: { purpose: 'x', limit_amount: 1, tx_hash: hash() } }),
    () => ({ body: { purpose: 'x', limit_amount: 1, settlement_mode: 'DIRECT' } }),
  ],
  'POST /api/issue/bulk': [
    () => ({
      headers: { 'idempotency-key': hash() },
      body: { cards: Array.from({ length: 100 }, () => ({ purpose: 'x', limit_amount: 1 })) },
    }),
    () => ({
      headers: { 'idempotency-key': hash() },
      body: {
        cards: Array.from({ length: 40 }, () => ({
          purpose: 'x',
          limit_amount: 1,
          settlement_mode: 'DIRECT',
        })),
      },
    }),
  ],
  'PATCH /api/cards/{id}/controls': [(_, i) => ({ body: { daily_limit: i + 1 } })],
  'POST /api/cards/{id}/cancel': [({ spare }) => ({ fill: { id: spare.id } })],
  'POST /api/cards/{id}/rotate-token': [({ other }) => ({ fill: { id: other.id } })],
  'POST /api/cards/{id}/fund': [() => ({ body: { amount: 1 } })],
  'POST /api/listings/prepare': [({ other }, i) => ({ body: { card_id: other.id, price: i + 1 } })],
  'POST /api/listings': [({ other }, i) => ({ body: { card_id: other.id, price: i + 1 } })],
  'POST /api/cards/{id}/transfer': [() => ({ body: { to_wallet: newAddress() } })],
  'POST /api/withdraw': [() => ({ body: { amount: 1 } })],
  'POST /api/membership/subscribe': [
    () => ({ body: { tier: 'starter', billing_period: 'month' } }),
  ],
  // Each attack uses up a wallet's enrolments of a minute, so each is another wallet's.
  'POST /api/membership/auto-renew': [
    (_, i) => ({ body: { tier: i % 2 === 0 ? 'starter' : 'growth' } }),
    ({ patient }) => ({
      headers: { authorization: `Bearer ${patient.key}` },
      body: { mode: 'wallet', approve_tx: hash() },
    }),
  ],
  'POST /api/fees/topup': [() => ({ body: { amount: 1 } })],
  'POST /api/cards/{id}/claim': [
    ({ card }) => ({ body: { token: card.token } }),
    ({ till, card }) => ({ fill: { id: till.id }, body: { token: card.token } }),
  ],
  'POST /api/pay': [payUrl],
  'POST /api/pay/simulate': [payUrl],
  'POST /api/pay/purchases': [
    () => ({ body: { digest: hash().slice(2), window_seconds: 3_600 } }),
    () => ({ body: { digest: '0'.repeat(64), window_seconds: 1 } }),
  ],
  'POST /mcp': [
    callTool('pay', (stage, i) => ({ url: stage.shop.urlOf(i) })),
    callTool('request_approval', (stage, i) => ({ url: stage.shop.urlOf(i) })),
    callTool('create_pay_link', () => ({ amount: '1' })),
    callTool('discover', () => ({ query: 'reports' })),
  ],
  'POST /api/pay/authorize': [
    (stage, i) => ({
      body: { ...cardOf(stage), resource: `mcp://tool/${i}`, challenge: demandOf(newAddress()) },
    }),
  ],
  'GET /api/x402/discover': [(stage, i) => ({ query: `url=${FULL_URL(stage, i)}` })],
  'GET /api/mpp/discover': [(stage, i) => ({ query: `url=${FULL_URL(stage, i)}` })],
  'POST /api/mpp/session': [(stage) => ({ body: { ...cardOf(stage), merchant: 'x' } })],
  'POST /api/mpp/stream/open': [
    (stage) => ({ body: { ...cardOf(stage), budget: 1, tick_amount: 1 } }),
  ],
  'POST /api/mpp/stream/tick': [(stage, i) => ({ body: { ...cardOf(stage), stream_id: `s${i}` } })],
  'POST /api/mpp/stream/close': [(_, i) => ({ body: { stream_id: `s${i}` } })],
  'POST /api/paylinks': [({ card }) => ({ body: { card_id: card.id, amount: 1 } })],
  'DELETE /api/paylinks/{code}': [({ own }) => ({ fill: { code: own.code } })],
  'GET /api/pay/{code}/prepare': [() => ({}), ({ direct: { code } }) => ({ fill: { code } })],
  'GET /api/pay/{code}/resolve': [() => ({}), ({ direct: { code } }) => ({ fill: { code } })],
  'POST /api/pay/{code}/settle': [
    () => ({ body: { tx_hash: hash() } }),
    byCardToken,
    byOthersTransfer,
  ],
  'GET /pay/{code}': [
    () => ({ headers: { accept: 'text/html' } }),
    () => ({}),
    byX402,
    byDirectX402,
  ],
  'POST /pay/{code}': [() => ({ body: {} }), byX402],
  'POST /api/mpp/agentcard': [
    async (stage) => ({
      body: { ...cardOf(stage), challenge: await challengeOf(stage.w, stage.code) },
    }),
  ],
  'POST /pay/{code}/paid': [
    () => ({ headers: form, body: `tx_hash=${hash()}` }),
    ({ card }) => ({
      headers: form,
      body: `payer_card_id=${card.id}&payer_card_token=${card.token}`,
    }),
  ],
  'GET /pay/{code}/paid': [() => ({ query: `tx_hash=${hash()}` })],
  'POST /api/billing/agreements/prepare': [
    ({ card, seller }) => ({ body: { payer_card_id: card.id, ...agreementOf(seller) } }),
    ({ w, card }) => ({ body: { payer_card_id: card.id, ...thresholdOf(w), budget: 5 } }),
  ],
  'POST /api/billing/agreements': [
    ({ card, seller, agreed }) => ({
      body: {
        payer_card_id: card.id,
        card_token: card.token,
        open_mandate: agreed,
        ...agreementOf(seller),
      },
    }),
  ],
  'GET /api/crt-markets/{token}/quote': [
    (_, i) => ({ fill: { token: newAddress() }, query: `side=buy&amount=${i + 1}` }),
  ],
  'POST /api/cards/{id}/crt-market/prepare': [
    (_, i) => ({
      body: { symbol: `A${i}`, name: 'Acme', supply: i + 1, keep_bps: 1_000, start_price: 1 },
    }),
  ],
  'POST /api/cards/{id}/crt-market/confirm': [
    () => ({ body: { deployTx: hash(), listTx: hash() } }),
  ],
  'POST /api/cards/{id}/crt-market/vesting-confirm': [
    () => ({ body: { vestingTx: hash(), keepBps: 1_000 } }),
  ],
  'POST /api/ap2/settle': [
    async ({ code, poor, card }) => ({
      body: {
        pay_link_code: code,
        closed_mandate: await mandateOf(poor, card, code),
        card_token: card.token,
      },
    }),
    ({ code, mandate, card }, i) => ({
      body: { pay_link_code: code, closed_mandate: `${mandate}${i}`, card_token: card.token },
    }),
  ],
  'POST /api/ap2/verify': [
    ({ code, mandate }) => ({ body: { pay_link_code: code, closed_mandate: mandate } }),
  ],
  'POST /api/ap2/open-mandate': [
    (stage) => ({
      body: { ...cardOf(stage), max_amount: 1, currency: 'USD', payees: [stage.code] },
    }),
  ],
  'POST /api/ap2/mandate': [(stage) => ({ body: { ...cardOf(stage), pay_link_code: stage.code } })],
  'POST /api/ap2/mandates/{mandate_id}/revoke': [
    async (stage, i) => ({
      fill: { mandate_id: `grant-${i}` },
      body: { card_id: stage.card.id, open_mandate: await unseenGrant(stage, `grant-${i}`) },
    }),
  ],
  'POST /api/ap2/keys': [
    (stage) => ({ body: { ...cardOf(stage), jwk: publicJwkOf(newKey()), role: 'user' } }),
    (stage) => ({ body: { ...cardOf(stage), jwk: publicJwkOf(newKey()), role: 'agent' } }),
  ],
  'GET /api/ap2/keys': [({ card }) => ({ query: `card_id=${card.id}` })],
  'GET /api/ap2/instruments': [({ card }) => ({ query: `card_id=${card.id}` })],
  'POST /api/ap2/receipt': [
    ({ mandate }, i) => ({ body: { payment_receipt: mandate.split('~')[0], mandate_id: `m${i}` } }),
  ],
  'POST /api/ap2/payment-methods': [() => ({ body: {} })],
  'GET /explorer/tx/{ref}': [
    () => ({ fill: { ref: hash() } }),
    ({ direct }) => ({ fill: { ref: direct.txHash } }),
  ],
  'GET /explorer/address/{ref}': [
    () => ({ fill: { ref: newAddress() } }),
    ({ w }) => ({ fill: { ref: w.chain.treasury.address } }),
  ],
  'GET /explorer/streams/{ref}': [(_, i) => ({ fill: { ref: String(i) } })],
  'GET /explorer/token/{ref}': [() => ({ fill: { ref: DEV_TOKENS[0]?.contract ?? '' } })],
  // The first attack uses up the wallet's allowance for a minute, so it is the costliest.
  'POST /api/tokens': [
    ({ w }) => ({ body: { network: w.chain.network, address: DEV_TOKENS[0]?.contract } }),
    ({ w }) => ({ body: { network: w.chain.network, address: newAddress() } }),
    ({ w }) => ({ body: { network: w.chain.network, address: MULTICALL } }),
  ],
  'POST /api/withdrawals/addresses': [() => ({ body: { address: newAddress() } })],
  'POST /api/webhooks': [(stage, i) => ({ body: { url: stage.shop.urlOf(i) } })],
  'PATCH /api/webhooks/{id}': [
    ({ hook, shop }, i) => ({ fill: { id: hook.id }, body: { url: shop.urlOf(i) } }),
  ],
  'POST /api/webhooks/{id}/test': [({ hook }) => ({ fill: { id: hook.id } })],
  'POST /api/webhooks/{id}/recover': [
    ({ hook }) => ({ fill: { id: hook.id }, body: { since: LONG_AGO } }),
  ],
  'POST /api/webhooks/{id}/replay-missing': [
    ({ hook }) => ({ fill: { id: hook.id }, body: { since: LONG_AGO } }),
  ],
  'POST /api/webhooks/deliveries/{id}/replay': [
    async ({ poor }) => {
      const { deliveries } = (await poor.get('/api/webhooks/deliveries?limit=1')).body
      return { fill: { id: deliveries[0]?.id ?? 'x' } }
    },
  ],
  'POST /api/webhooks/{id}/rotate-secret': [({ hook }) => ({ fill: { id: hook.id } })],
  'POST /api/x402/verify': [facilitated],
  'POST /api/x402/settle': [facilitated],
  'POST /api/paywall/payments': [
    async ({ poor, payer }, i) => ({
      body: {
        attempt: `attempt-of-a-caller-${i}`,
        resource: 'https://shop.example/x',
        request: `request ${i}`,
        x402: await ask(payer, poor.account.address),
      },
    }),
  ],
  'GET /api/x402/discovery/search': [(_, i) => ({ query: `query=word${i}` })],
  'POST /api/x402/receive': [
    async ({ poor, payer }, i) => {
      const url = `https://shop.example/${i}`
      const body = await ask(payer, poor.account.address)
      const payload = { ...body.paymentPayload, resource: { url } }
      const header = Buffer.from(JSON.stringify(payload)).toString('base64')
      return { body: { payment_header: header, resource_url: url } }
    },
  ],
  'POST /api/mpp/receive': [
    async ({ w, code }) => ({ body: { payment_data: await challengeOf(w, code) } }),
  ],
}
/** An open mandate by the card's user key that nobody has presented. */
const unseenGrant = ({ w, userKey, card }: Stage, id: string): Promise<string> =>
  signOpen(
    openContentOf({
      id,
      agentKey: publicJwkOf(newKey()),
      issuedAt: w.now(),
      expiresAt: secondsFrom(w.now(), 3_600),
      amountRange: { currency: 'USD', max: 100n },
      payees: [{ id: 'x', name: 'x', website: 'https://x.example' }],
      instruments: [{ id: card.id, type: 'card' }],
    }),
    userKey,
  )
const LONG_AGO = '2020-01-01T00:00:00Z'
const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** The values that the route's body requires. */
export const plainly =
  (route: Exposed): Attack =>
  () =>
    route.body ? { body: sample(route) } : {}

/** The path values that an attack does not set: the wallet's own if it has them, otherwise unknown ones. */
export const fillOf = (stage: Stage, path: string, i: number): Record<string, string> => ({
  id: path.startsWith('/api/cards/') ? stage.card.id : `x${i}`,
  code: stage.code,
  card_id: stage.card.id,
  txn_id: `txn_${i}`,
  settlement_id: `stl_${i}`,
  mandate_id: `m${i}`,
  kid: `k${i}`,
  hash: randomHex(32).slice(2),
})
