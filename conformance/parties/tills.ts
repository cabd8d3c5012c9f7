import { decodePaymentRequiredHeader } from '@x402/core/http'
import type { PaymentRequirements, ResourceInfo } from '@x402/core/types'
import { createPublicClient, http } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { type Hex, USDC } from '../../packages/service/src/kernel/assets.ts'
import { randomHex } from '../../packages/service/src/kernel/secrets.ts'
import { erc20Abi } from '../../packages/service/src/protocols/eip3009/abi.ts'
import {
  authorizationTypedData,
  type TransferAuthorization,
} from '../../packages/service/src/protocols/eip3009/authorization.ts'
import type { TillName } from '../failures.ts'
import { openLink, type Place } from '../stage.ts'
import { CHAIN_ID, MAX_TIMEOUT_SECONDS, NETWORK, PRICE, PRICE_USD } from './servers.ts'

/** What a payer has signed, and what a seller is shown of it. */
export type Signed = {
  authorization: TransferAuthorization
  signature: Hex
  payload: {
    x402Version: 2
    resource?: ResourceInfo
    accepted: PaymentRequirements
    payload: object
  }
}
/** What a payer does otherwise than it was asked. */
export type Deviation = {
  authorization?: Partial<TransferAuthorization>
  accepted?: Partial<PaymentRequirements>
}
export type Told = {
  outcome: 'settled' | 'pending' | 'refused'
  /** The protocol's word for a refusal. */
  reason?: string
  /** What identifies the settlement where there is one. */
  receipt?: string
}

/** Something of ours that takes x402 payments: asked for its terms, shown a payment, and counted afterwards. */
export type Till = {
  sign(account: PrivateKeyAccount, deviation?: Deviation): Promise<Signed>
  present(signed: Signed): Promise<Told>
  /** That the seller has been paid so many times, on chain and in the books. */
  expectPaid(times: 0 | 1): Promise<void>
}

const asset = USDC[CHAIN_ID] as NonNullable<(typeof USDC)[number]>
/** What the receiver of a link is credited: the price less the platform's 0.5 %. */
const NET_USD = 0.00995

export const openTill: Record<TillName, (place: Place) => Promise<Till>> = {
  'pay link by x402': openLinkTill,
  facilitator: openFacilitatorTill,
}

/** A pay link of any number of uses, so that a second credit would be possible. */
async function openLinkTill(place: Place): Promise<Till> {
  const link = await openLink(place, PRICE_USD, { type: 'RECURRING', max_uses: 0 })
  return {
    async sign(account, deviation) {
      const asked = await fetch(link.url)
      const demand = decodePaymentRequiredHeader(asked.headers.get('payment-required') ?? '')
      const [accepted] = demand.accepts
      if (!accepted) throw new Error('the link makes no offer')
      const signed = await sign(account, accepted, deviation)
      return { ...signed, payload: { ...signed.payload, resource: demand.resource } }
    },
    async present({ payload }) {
      const header = Buffer.from(JSON.stringify(payload)).toString('base64')
      const response = await fetch(link.url, { headers: { 'payment-signature': header } })
      const body = (await response.json()) as Record<string, string>
      const told = { reason: body.error ?? '', receipt: body.settlement_id ?? '' }
      if (response.status === 200) return { outcome: 'settled', receipt: told.receipt }
      return { outcome: body.code === 'settlement_pending' ? 'pending' : 'refused', ...told }
    },
    async expectPaid(times) {
      expect(await transfersTo(place.rpcUrl, link.payTo)).toEqual(Array(times).fill(PRICE))
      expect(await link.received()).toBe(times * NET_USD)
    },
  }
}

/** The facilitator, asked by a seller who sells something for the price and serves once it says `success`. */
async function openFacilitatorTill({ baseUrl, rpcUrl, seller }: Place): Promise<Till> {
  const payTo = privateKeyToAccount(generatePrivateKey()).address
  const paymentRequirements: PaymentRequirements = {
    scheme: 'exact',
    network: NETWORK,
    amount: String(PRICE),
    asset: asset.contract,
    payTo,
    maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    extra: { ...asset.eip712 },
  }
  return {
    sign: (account, deviation) => sign(account, paymentRequirements, deviation),
    async present({ payload: paymentPayload }) {
      const response = await fetch(`${baseUrl}/api/x402/settle`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${seller.key}` },
        body: JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements }),
      })
      const body = (await response.json()) as Record<string, string> & { success: boolean }
      expect(response.status, JSON.stringify(body)).toBe(200)
      const receipt = body.transaction ?? ''
      if (body.success) return { outcome: 'settled', receipt }
      const reason = body.errorReason ?? ''
      return { outcome: reason === 'settlement_pending' ? 'pending' : 'refused', reason, receipt }
    },
    expectPaid: async (times) =>
      expect(await transfersTo(rpcUrl, payTo)).toEqual(Array(times).fill(PRICE)),
  }
}

async function sign(
  account: PrivateKeyAccount,
  offer: PaymentRequirements,
  deviation: Deviation = {},
): Promise<Signed> {
  const accepted = { ...offer, ...deviation.accepted }
  const authorization: TransferAuthorization = {
    from: account.address,
    to: offer.payTo as Hex,
    value: BigInt(offer.amount),
    validAfter: 0n,
    validBefore: BigInt(Math.floor(Date.now() / 1000) + offer.maxTimeoutSeconds),
    nonce: randomHex(32),
    ...deviation.authorization,
  }
  const signature = await account.signTypedData(authorizationTypedData(asset, authorization))
  const { value, validAfter, validBefore } = authorization
  const written = {
    ...authorization,
    value: String(value),
    validAfter: String(validAfter),
    validBefore: String(validBefore),
  }
  const payload = { signature, authorization: written }
  return { authorization, signature, payload: { x402Version: 2, accepted, payload } }
}

/** What USDC arrived at an address, transfer by transfer, in base units. */
async function transfersTo(rpcUrl: string, to: Hex): Promise<bigint[]> {
  const node = createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })
  const logs = await node.getContractEvents({
    address: asset.contract,
    abi: erc20Abi,
    eventName: 'Transfer',
    args: { to },
    fromBlock: 0n,
    strict: true,
  })
  return logs.map((log) => log.args.value)
}
