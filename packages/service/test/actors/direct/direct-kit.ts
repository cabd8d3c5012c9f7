import { decodePaymentRequiredHeader } from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { Address } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { User, World } from '../../world.ts'
import { NETWORK } from '../facilitator-kit.ts'
import { join } from '../members/meter-kit.ts'

/** A seller with a plan and a DIRECT card. */
export async function directSeller(w: World, user?: User) {
  const seller = user ?? (await w.user())
  await join(w, seller)
  const { card } = (
    await seller.post('/api/issue', {
      ...{ purpose: 'shop', limit_amount: 1, settlement_mode: 'DIRECT' },
    })
  ).body
  const open = async (link: object = {}) =>
    (await seller.post('/api/paylinks', { card_id: card.id, amount: 0.5, memo: 'report', ...link }))
      .body
  const transactions = async () =>
    (await seller.get(`/api/cards/${card.id}/transactions`)).body.transactions
  const events = async (type: string) =>
    (await seller.get(`/api/events?type=${type}`)).body.events.map(({ data }: any) => data)
  const used = async () => (await seller.get('/api/fees')).body.quota.used
  return { seller, wallet: seller.wallet as Address, card, open, transactions, events, used }
}
export type DirectSeller = Awaited<ReturnType<typeof directSeller>>

/** The official client of x402, which may pay any token. */
export function x402Payer(account: PrivateKeyAccount, asset?: Address) {
  const client = new x402Client().register(NETWORK, new ExactEvmScheme(account))
  if (asset) client.setSpendControls({ allowedAssets: [{ network: NETWORK, asset }] })
  return {
    pay: wrapFetchWithPayment(fetch, client),
    /** The header that pays the demand at the URL. */
    async header(url: string): Promise<string> {
      const demand = decodePaymentRequiredHeader(
        (await fetch(url)).headers.get('payment-required')!,
      )
      const payload = await client.createPaymentPayload(demand)
      return Buffer.from(JSON.stringify(payload)).toString('base64')
    },
  }
}

export const present = (url: string, header: string): Promise<Response> =>
  fetch(url, { headers: { 'payment-signature': header } })

/** The bytes that a payer signs to say that a transaction paid a link, and the report with them. */
export async function report(
  w: World,
  of: {
    link: { code: string }
    txHash: string
    payer: PrivateKeyAccount
    by?: PrivateKeyAccount
    amount?: unknown
  },
) {
  const { link, txHash, payer, by = payer, amount } = of
  const prepared = (await w.call('GET', `/api/pay/${link.code}/prepare`)).body
  const message = prepared.direct.message.replace('{tx_hash}', txHash)
  return {
    tx_hash: txHash,
    from_address: payer.address,
    ...(amount === undefined ? {} : { amount }),
    signature: await by.signMessage({ message }),
  }
}

export const reportTo = (w: World, { code }: { code: string }, body: object) =>
  w.call('POST', `/api/pay/${code}/settle`, body)

export type { User }
