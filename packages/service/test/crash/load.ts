import { randomHex } from '../../src/base/kernel/secrets.ts'
import type { Challenge } from '../../src/base/protocols/mpp/headers/challenge.ts'
import { writeCredential } from '../../src/base/protocols/mpp/headers/credential.ts'
import { encodeJson } from '../../src/base/protocols/mpp/headers/wire.ts'
import { challengeNonce, evmPayload } from '../../src/base/protocols/mpp/methods/evm.ts'
import { depositBody, paymentV1, xPayment } from '../actors/authorizations.ts'
import { pause } from '../until.ts'
import { DIRECT } from './acts/direct.ts'
import {
  claim,
  type Move,
  mustAsk,
  mustPost,
  note,
  post,
  toUsd,
  USD,
  type World,
} from './acts/moves.ts'
import { ON_CHAIN_SALE } from './acts/on-chain-sale.ts'
import { LINK_PRICE } from './acts/players.ts'
import { RECURRING } from './acts/recurring.ts'
import { type ChainWallet, usdc } from './chain-wallet.ts'
import { insist, type Request } from './client.ts'
import { PRICE } from './seller.ts'

const VALUES = { deposit: 3n * USD, link: LINK_PRICE, card: 1n * USD, withdrawal: 2n * USD }
/** The amount of a stream's tick, and the number of ticks. */
export const STREAM = { tick: 10_000n, ticks: 3n }

const present = (code: string, credential: string): Request => ({
  method: 'GET',
  path: `/pay/${code}`,
  headers: { authorization: credential },
})

/** A fresh challenge of the other player's link, from its 402. */
async function challengeOf(move: Move, method: string): Promise<any | undefined> {
  const path = `/pay/${move.other.link.code}`
  const demand = await mustAsk(move, { method: 'GET', path }, 402)
  return demand?.mpp.find((challenge: any) => challenge.method === method)
}

/** Every act that moves money or makes something that holds money. */
export const ACTS = {
  async depositByAuthorization(move: Move) {
    const value = VALUES.deposit
    const signed = await move.player.wallet.sign(move.world.treasury, value)
    const ref = signed.authorization.nonce
    const request = post('/api/fund/authorization', depositBody(signed))
    await claim(move, { act: 'depositByAuthorization', value, ref, request })
  },
  /** Not reported to the service: its watcher must see it. */
  async depositOnChain({ world, player }: Move) {
    const value = VALUES.deposit
    const hash = await player.wallet.transfer(world.treasury, value)
    note(world, { act: 'depositOnChain', ref: hash, value })
  },
  async depositByHash(move: Move) {
    const value = VALUES.deposit
    const hash = await move.player.wallet.transfer(move.world.treasury, value)
    note(move.world, { act: 'depositOnChain', ref: hash, value })
    const request = post('/api/fund/verify', { tx_hash: hash })
    await claim(move, { act: 'depositByHash', value: 0n, ref: hash, request })
  },
  async issue(move: Move) {
    const body = { purpose: 'soak', limit_amount: toUsd(VALUES.card) }
    await claim(move, { act: 'issue', value: VALUES.card, request: post('/api/issue', body) })
  },
  async issueOnTransaction(move: Move) {
    const value = VALUES.card
    const hash = await move.player.wallet.transfer(move.world.treasury, value)
    note(move.world, { act: 'depositOnChain', ref: hash, value })
    const body = { purpose: 'soak', limit_amount: toUsd(value), tx_hash: hash }
    await claim(move, { act: 'issue', value, request: post('/api/issue', body) })
  },
  async linkByCard(move: Move) {
    const { id, token } = move.player.card
    const body = { payer_card_id: id, payer_card_token: token }
    const request = post(`/api/pay/${move.other.link.code}/settle`, body)
    await claim(move, { act: 'linkByCard', value: VALUES.link, request })
  },
  async linkByX402(move: Move) {
    const { code, address } = move.other.link
    const value = VALUES.link
    const signed = await move.player.wallet.sign(address, value)
    const request = { method: 'GET', path: `/pay/${code}`, headers: xPayment(signed) }
    await claim(move, { act: 'linkByX402', value, ref: signed.authorization.nonce, request })
  },
  /** Pays by MPP with a wallet: one signature for one challenge, presented until it has an answer. */
  async linkByMpp(move: Move) {
    const listed = await challengeOf(move, 'evm')
    if (!listed) return
    const challenge: Challenge = {
      ...listed,
      request: encodeJson(listed.request),
      terms: listed.request,
    }
    const { code, address } = move.other.link
    const value = VALUES.link
    const nonce = challengeNonce(challenge)
    const signed = await move.player.wallet.sign(address, value, nonce)
    const credential = writeCredential({ challenge, payload: evmPayload(signed) }).headerValue
    await claim(move, { act: 'linkByMpp', value, ref: nonce, request: present(code, credential) })
  },
  /**
   * Pays by MPP with a card: the card agrees to the challenge, and its credential is presented until it has an answer.
   */
  async linkByAgentcard(move: Move) {
    const challenge = await challengeOf(move, 'agentcard')
    if (!challenge) return
    const { id, token } = move.player.card
    const body = { card_id: id, card_token: token, challenge }
    const agreed = await mustAsk(move, post('/api/mpp/agentcard', body), 200)
    if (!agreed) return
    const request = present(move.other.link.code, agreed.credential)
    await claim(move, { act: 'linkByAgentcard', value: VALUES.link, ref: challenge.id, request })
  },
  async linkOnChain({ world, player, other }: Move) {
    const value = VALUES.link
    const hash = await player.wallet.transfer(other.link.address, value)
    note(world, { act: 'linkOnChain', ref: hash, value })
  },
  async linkByHash(move: Move) {
    const { code, address } = move.other.link
    const hash = await move.player.wallet.transfer(address, VALUES.link)
    note(move.world, { act: 'linkOnChain', ref: hash, value: VALUES.link })
    const request = post(`/api/pay/${code}/settle`, { tx_hash: hash })
    await claim(move, { act: 'linkByHash', value: 0n, ref: hash, request })
  },
  async pay(move: Move) {
    const { id, token } = move.player.card
    const body = { card_id: id, card_token: token, url: move.world.seller.url, method: 'GET' }
    await claim(move, { act: 'pay', value: PRICE, request: post('/api/pay', body) })
  },
  /** Acts as a seller elsewhere: the payer's money goes to an address that is not ours. */
  async facilitate(move: Move) {
    const value = VALUES.link
    const payTo = randomHex(20)
    const { payment, requirements } = demandOf(await move.player.wallet.sign(payTo, value))
    const body = { x402Version: 1, paymentPayload: payment, paymentRequirements: requirements }
    const request = post('/api/x402/settle', body)
    await claim(move, { act: 'facilitate', value, ref: payTo, request })
  },
  /** Ticks less than its budget, each request with its own key. The claim is the closed stream. */
  async stream(move: Move) {
    const { player, other } = move
    const card = { card_id: player.card.id, card_token: player.card.token }
    const send = (path: string, body: unknown) => mustPost(move, path, body)
    const { tick, ticks } = STREAM
    const terms = { budget: toUsd(tick * (ticks + 1n)), tick_amount: toUsd(tick) }
    const opening = { ...card, ...terms, receiver_card_id: other.card.id }
    const { id } = (await send('/api/mpp/stream/open', opening)) ?? {}
    if (!id) return
    for (let n = 0n; n < ticks; n++) await send('/api/mpp/stream/tick', { stream_id: id, ...card })
    const request = post('/api/mpp/stream/close', { stream_id: id })
    await claim(move, { act: 'stream', value: tick * ticks, ref: id, request })
  },
  /** Sells a card of its own to the other player. The claim is the purchase. */
  async sell(move: Move) {
    const order = { purpose: 'for sale', limit_amount: toUsd(VALUES.card) }
    const { card } = (await mustPost(move, '/api/issue', order)) ?? {}
    if (!card) return
    const offer = { card_id: card.id, price: toUsd(VALUES.card) }
    const { listing } = (await mustPost(move, '/api/listings', offer)) ?? {}
    if (!listing) return
    const request = post(`/api/listings/${listing.id}/buy`, { version: listing.version })
    await claim(
      { ...move, player: move.other },
      { act: 'sell', value: VALUES.card, ref: listing.id, request },
    )
  },
  /** The identity token of a new card that the other player has paid. A wallet has ten a day; more are refused. */
  async mintIdentity(move: Move) {
    const { world, player, other, isOver } = move
    const ask = async (request: Request, key: string) => {
      const headers = { authorization: `Bearer ${key}`, 'idempotency-key': randomHex(12) }
      return (await insist(world.stage.baseUrl, { ...request, headers }, isOver))?.reply
    }
    const order = { purpose: 'till', limit_amount: toUsd(VALUES.card) }
    const card = (await ask(post('/api/issue', order), player.key))?.body.card
    if (!card) return
    const terms = { card_id: card.id, amount: toUsd(VALUES.link) }
    const link = (await ask(post('/api/paylinks', terms), player.key))?.body
    const payer = { payer_card_id: other.card.id, payer_card_token: other.card.token }
    const payment = { ...move, player: other }
    const paying = post(`/api/pay/${link?.code}/settle`, payer)
    await claim(payment, { act: 'linkByCard', value: VALUES.link, request: paying })
    for (;;) {
      const reply = await ask(post(`/api/cards/${card.id}/identity`, {}), player.key)
      // The payment counts once the follower of the books has seen it.
      if (reply?.body.code === 'no_counted_payment') await pause(250)
      else if (reply?.status === 200)
        return note(world, { act: 'mintIdentity', ref: card.id, value: 0n })
      else if (!reply || reply.body.code === 'gas_budget_spent') return
      else return void world.unanswered.push(`identity of ${card.id}: ${JSON.stringify(reply)}`)
    }
  },
  async withdraw(move: Move) {
    const body = { amount: toUsd(VALUES.withdrawal), to_address: move.player.payee }
    const request = post('/api/withdraw', body)
    await claim(move, { act: 'withdraw', value: VALUES.withdrawal, request })
  },
  ...RECURRING,
  ...DIRECT,
}
/** The acts of the load, and those that a wallet may do a few times a day. */
const WALKED = { ...ACTS, ...ON_CHAIN_SALE }
export type Act = keyof typeof WALKED
export const ALL_ACTS = Object.keys(ACTS) as Act[]

type Signed = Awaited<ReturnType<ChainWallet['sign']>>

/** The payment, and the seller's requirements for it. */
function demandOf(signed: Signed) {
  const { to, value } = signed.authorization
  const requirements = {
    ...{ scheme: 'exact', network: 'base-sepolia', maxAmountRequired: String(value), payTo: to },
    ...{ asset: usdc.contract, maxTimeoutSeconds: 60, extra: usdc.eip712 },
  }
  return { payment: paymentV1(signed), requirements }
}

/** Runs `act` for a player, against another player's link if it needs one. */
export const perform = (
  world: World,
  step: { act: Act; who: number; isOver: () => boolean },
): Promise<void> => {
  const { players } = world
  const player = players[step.who % players.length]
  const other = players[(step.who + 1) % players.length]
  if (!player || !other) throw new Error('nobody plays')
  return WALKED[step.act]({ world, player, other, isOver: step.isOver })
}
