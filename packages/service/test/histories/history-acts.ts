import { sql } from '../../src/base/db/sql.ts'
import { randomHex } from '../../src/base/kernel/secrets.ts'
import { authorizationTypedData } from '../../src/base/protocols/evm/eip3009/authorization.ts'
import {
  type Challenge,
  readChallenges,
  writeChallenge,
} from '../../src/base/protocols/mpp/headers/challenge.ts'
import { writeCredential } from '../../src/base/protocols/mpp/headers/credential.ts'
import { challengeNonce, evmPayload } from '../../src/base/protocols/mpp/methods/evm.ts'
import { present } from '../actors/attack-kit.ts'
import { depositBody } from '../actors/authorizations.ts'
import type { Reply } from '../world.ts'
import { dollars, type Player, pick, type Stage } from './stage.ts'

/** Three minutes, so that a stream that nobody closes ends well before the history does. */
const STREAM_HOURS = 0.05
type Transfer = { to: `0x${string}`; value: bigint; nonce?: `0x${string}` }

async function signed(s: Stage, who: Player, { to, value, nonce = randomHex(32) }: Transfer) {
  const validBefore = BigInt(Math.floor(Date.now() / 1000) + 600)
  const authorization = {
    from: who.user.account.address,
    to,
    value,
    validAfter: 0n,
    validBefore,
    nonce,
  }
  const signature = await who.user.account.signTypedData(
    authorizationTypedData(s.w.chain.asset, authorization),
  )
  return { authorization, signature }
}

async function walletCredential(s: Stage, p: Player, challenge: Challenge): Promise<string> {
  const { recipient, amount } = challenge.terms as { recipient: `0x${string}`; amount: string }
  const nonce = challengeNonce(challenge)
  const payload = evmPayload(await signed(s, p, { to: recipient, value: BigInt(amount), nonce }))
  return writeCredential({ challenge, payload }).headerValue
}

const agreeByCard = (s: Stage, p: Player, challenge: Challenge, b: number): Promise<Reply> => {
  const card = pick(p.cards, b)
  return s.w.call('POST', '/api/mpp/agentcard', {
    card_id: card?.id ?? 'x',
    card_token: card?.token ?? 'x',
    challenge: writeChallenge(challenge),
  })
}

/** Every act that moves money, as a caller would do it. A refusal is a valid answer; a 5xx is not. */
export const ACTS = {
  async issue(_: Stage, p: Player, a: number, b: number) {
    const reply = await p.user.post('/api/issue', {
      purpose: 'x',
      limit_amount: dollars(a),
      single_use: b % 5 === 0,
      ...(b % 4 === 0 ? { daily_limit: 5 } : {}),
      ...(b % 7 === 0 ? { expires_in: 1 } : {}),
    })
    if (reply.status === 200) p.cards.push({ id: reply.body.card.id, token: reply.body.card.token })
    return reply
  },
  async fund(_: Stage, p: Player, a: number, b: number) {
    return p.user.post(`/api/cards/${pick(p.cards, a)?.id}/fund`, { amount: dollars(b) })
  },
  async freeze(_: Stage, p: Player, a: number, b: number) {
    return p.user.post(`/api/cards/${pick(p.cards, a)?.id}/${b % 2 ? 'freeze' : 'unfreeze'}`)
  },
  async cancel(_: Stage, p: Player, a: number, b: number) {
    return b % 3
      ? p.user.get('/api/balance')
      : p.user.post(`/api/cards/${pick(p.cards, a)?.id}/cancel`)
  },
  async claim(_: Stage, p: Player, a: number, b: number) {
    const card = pick(p.cards, a)
    return p.user.post(`/api/cards/${card?.id}/claim`, {
      token: card?.token ?? 'x',
      ...(b % 2 ? { amount: dollars(b) } : {}),
    })
  },
  async rotate(_: Stage, p: Player, a: number) {
    const card = pick(p.cards, a)
    const reply = await p.user.post(`/api/cards/${card?.id}/rotate-token`)
    if (card && reply.status === 200) card.token = reply.body.card.token
    return reply
  },
  async link(_: Stage, p: Player, a: number, b: number) {
    const amount = b % 4 === 0 ? null : dollars(b)
    const reply = await p.user.post('/api/paylinks', {
      card_id: pick(p.cards, a)?.id ?? 'x',
      amount,
      max_uses: b % 3,
      ...(b % 6 === 0 ? { expires_in: 1 } : {}),
    })
    if (reply.status === 200)
      p.links.push({ code: reply.body.code, address: reply.body.deposit_address, amount })
    return reply
  },
  async unlink(_: Stage, p: Player, a: number, b: number) {
    return b % 4
      ? p.user.get('/api/paylinks')
      : p.user.send('DELETE', `/api/paylinks/${pick(p.links, a)?.code}`)
  },
  async payByCard(s: Stage, p: Player, a: number, b: number) {
    const [seller, card] = [s.players[b % s.players.length]!, pick(p.cards, a)]
    const link = pick(seller.links, b)
    const reply = await s.w.call('POST', `/api/pay/${link?.code}/settle`, {
      payer_card_id: card?.id ?? 'x',
      payer_card_token: card?.token ?? 'x',
      ...(link?.amount === null ? { amount: dollars(a) } : {}),
    })
    if (reply.status === 200) {
      const sides = await sql<{
        id: string
      }>`select id from card_transactions where ref = ${reply.body.settlement_id} and direction = 'received'`.execute(
        s.w.db.reader,
      )
      for (const side of sides.rows) seller.received.push(side.id)
    }
    return reply
  },
  async payByX402(s: Stage, p: Player, a: number, b: number) {
    const link = pick(s.players[b % s.players.length]!.links, b)
    if (!link) return s.w.call('GET', '/api/config')
    const value = BigInt(Math.round((link.amount ?? dollars(a)) * 1e6))
    const payment = await signed(s, p, { to: link.address as `0x${string}`, value })
    const send = () => present(s.w, link.code, payment)
    const [first] = await Promise.all(a % 3 ? [send()] : [send(), send()])
    return first!
  },
  /** Pays by MPP, with the wallet or with a card. A card's token may also be left to expire. */
  async payByMpp(s: Stage, p: Player, a: number, b: number) {
    const seller = s.players[b % s.players.length]!
    const link = pick(seller.links, b)
    const query = link?.amount === null ? `?amount=${dollars(a)}` : ''
    const asked = await s.w.call('GET', `/pay/${link?.code}${query}`)
    const { challenges } = readChallenges(asked.headers['www-authenticate'])
    const challenge = challenges[a % 3 === 0 ? 0 : 1]
    if (!challenge) return asked
    const wallet = () => walletCredential(s, p, challenge)
    const agreed = challenge.method === 'evm' ? undefined : await agreeByCard(s, p, challenge, b)
    if (agreed && (agreed.status !== 200 || a % 5 === 0)) return agreed
    const authorization = agreed ? agreed.body.credential : await wallet()
    const send = () =>
      s.w.call('GET', `/pay/${link?.code}`, undefined, { headers: { authorization } })
    const [first] = await Promise.all(a % 3 ? [send()] : [send(), send()])
    return first!
  },
  async payOnChain(s: Stage, p: Player, a: number, b: number) {
    const link = pick(s.players[b % s.players.length]!.links, b)
    if (!link) return s.w.call('GET', '/api/config')
    const value = BigInt(Math.round((a % 3 ? (link.amount ?? 1) : dollars(a)) * 1e6))
    const tx_hash = await s.w.transfer(p.user.account, link.address as `0x${string}`, value)
    await s.w.safe()
    return s.w.call('POST', `/api/pay/${link.code}/settle`, {
      tx_hash,
      from_address: p.user.wallet,
    })
  },
  async deposit(s: Stage, p: Player, a: number, b: number) {
    const tx_hash = await s.w.transfer(
      p.user.account,
      s.w.chain.treasury.address,
      BigInt(Math.round(dollars(a) * 1e6)),
    )
    if (b % 2) {
      const reply = await p.user.post('/api/issue', {
        purpose: 'pay-and-issue',
        limit_amount: dollars(b),
        tx_hash,
      })
      if (reply.status === 200)
        p.cards.push({ id: reply.body.card.id, token: reply.body.card.token })
      return reply
    }
    await s.w.safe()
    const [reply] = await Promise.all([
      p.user.post('/api/fund/verify', { tx_hash }),
      s.players[b % s.players.length]!.user.post('/api/fund/verify', { tx_hash }),
    ])
    return reply
  },
  async depositByAuthorization(s: Stage, p: Player, a: number) {
    const value = BigInt(Math.round(dollars(a) * 1e6))
    const payment = await signed(s, p, { to: s.w.chain.treasury.address, value })
    return p.user.post('/api/fund/authorization', depositBody(payment))
  },
  async payOut(s: Stage, p: Player, a: number, b: number) {
    const card = pick(p.cards, a)
    return p.user.post(
      '/api/pay',
      {
        card_id: card?.id ?? 'x',
        card_token: card?.token ?? 'x',
        url: s.seller.url,
        method: 'GET',
      },
      b % 2 ? { headers: { 'idempotency-key': `k${a % 5}` } } : {},
    )
  },
  async openStream(s: Stage, p: Player, a: number, b: number) {
    const card = pick(p.cards, a)
    const receiver = pick(s.players[b % s.players.length]!.cards, b)
    const reply = await p.user.post('/api/mpp/stream/open', {
      ...{ card_id: card?.id ?? 'x', card_token: card?.token ?? 'x' },
      ...{ budget: dollars(b), tick_amount: dollars(a % 90), expires_in: STREAM_HOURS },
      ...(b % 4 && receiver ? { receiver_card_id: receiver.id } : {}),
    })
    if (card && reply.status === 200) p.streams.push({ id: reply.body.id, card })
    return reply
  },
  /** Several ticks at once: the budget ends in the middle of them. */
  async tick(_: Stage, p: Player, a: number, b: number) {
    const { id = 'x', card } = pick(p.streams, a) ?? {}
    const body = { stream_id: id, card_id: card?.id ?? 'x', card_token: card?.token ?? 'x' }
    const send = () => p.user.post('/api/mpp/stream/tick', body)
    const [first] = await Promise.all(Array.from({ length: 1 + (b % 4) }, send))
    return first!
  },
  async closeStream(s: Stage, p: Player, a: number, b: number) {
    const by = s.players[b % s.players.length]!.user
    const stream_id = pick(p.streams, a)?.id ?? 'x'
    return by.post('/api/mpp/stream/close', { stream_id })
  },
  async refund(_: Stage, p: Player, a: number, b: number) {
    return p.user.post(
      `/api/payments/${pick(p.received, a) ?? 'txn_x'}/refund`,
      b % 2 ? { amount: dollars(b) } : {},
    )
  },
}
