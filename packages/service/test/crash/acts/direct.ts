import { xPayment } from '../../actors/authorizations.ts'
import { claim, type Move, mustAsk, post, toUsd, USD } from './moves.ts'
import { LINK_PRICE } from './players.ts'

const TOP_UP = USD / 2n

/** Every act of DIRECT links, whose money goes from wallet to wallet, and of the meter that pays for them. */
export const DIRECT = {
  async directByX402(move: Move) {
    const { code, address } = move.other.direct
    const value = LINK_PRICE
    const signed = await move.player.wallet.sign(address, value)
    const request = { method: 'GET', path: `/pay/${code}`, headers: xPayment(signed) }
    const { nonce: ref } = signed.authorization
    await claim(move, { act: 'directByX402', value, ref, request })
  },
  /** The transfer is on chain before anybody reports it, and its sender signs the report. */
  async directByHash(move: Move) {
    const { account, address: from_address, transfer } = move.player.wallet
    const { code, address } = move.other.direct
    const value = LINK_PRICE
    const path = `/api/pay/${code}`
    const prepared = await mustAsk(move, { method: 'GET', path: `${path}/prepare` }, 200)
    if (!prepared) return
    const tx_hash = await transfer(address, value)
    const message = prepared.direct.message.replace('{tx_hash}', tx_hash)
    const signature = await account.signMessage({ message })
    const body = { tx_hash, from_address, amount: toUsd(value), signature }
    const request = post(`${path}/settle`, body)
    await claim(move, { act: 'directByHash', value, ref: tx_hash, request })
  },
  async topUp(move: Move) {
    const request = post('/api/fees/topup', { amount: toUsd(TOP_UP) })
    await claim(move, { act: 'topUp', value: TOP_UP, request })
  },
}
