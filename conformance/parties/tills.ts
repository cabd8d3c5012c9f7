import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import type { PaymentRequirements, ResourceInfo } from '@x402/core/types'
import { Challenge, Credential } from 'mppx'
import { challengeHash, Methods } from 'mppx/evm'
import { encodeFunctionData } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { type Hex, USDC } from '../../packages/service/src/base/kernel/assets.ts'
import { randomHex } from '../../packages/service/src/base/kernel/secrets.ts'
import { erc20Abi } from '../../packages/service/src/base/protocols/evm/eip3009/abi.ts'
import {
  authorizationTypedData,
  type TransferAuthorization,
} from '../../packages/service/src/base/protocols/evm/eip3009/authorization.ts'
import { transferWithAuthorizationData } from '../../packages/service/src/base/protocols/evm/eip3009/calldata.ts'
import { written } from '../../packages/service/test/actors/authorizations.ts'
import { sendBy } from '../../packages/service/test/actors/token-kit.ts'
import { freshAccount } from '../../packages/service/test/world/chain.ts'
import type { TillName } from '../failures.ts'
import { NET_USD, openLink, type Place } from '../stage.ts'
import { openPermit2Till } from './permit2-till.ts'
import { CHAIN_ID, MAX_TIMEOUT_SECONDS, NETWORK, PRICE, PRICE_USD } from './servers.ts'
import { settleAt } from './settle-at.ts'
import { transfersTo } from './transfers.ts'

/** A payer's signed authorization, and the form that a seller sees: an x402 payload or an MPP credential. */
export type Signed = {
  authorization: TransferAuthorization
  signature: Hex
  shown: object
}
/** A payer's deviation from the demand. */
export type Deviation = {
  authorization?: Partial<TransferAuthorization>
  /** The terms that the payer claims to accept. */
  terms?: { amount?: string; payTo?: string; network?: typeof NETWORK | 'eip155:8453' }
}
export type Outcome = {
  outcome: 'settled' | 'pending' | 'refused'
  /** The protocol's code for a refusal. */
  reason?: string
  /** The settlement's id, if there is one. */
  receipt?: string
}

/**
 * A part of ours that takes payments. A payer reads its terms and presents a payment; then the transfers are counted.
 */
export type Till = {
  sign(account: PrivateKeyAccount, deviation?: Deviation): Promise<Signed>
  /** With a request name, a repetition is the same request, not another seller's. */
  present(signed: Signed, requestName?: string): Promise<Outcome>
  /** Submits the signed payment to the chain, as anybody who has seen it may. */
  carry(signed: Signed): Promise<void>
  /** The payer transfers all its money away. */
  drain(account: PrivateKeyAccount): Promise<void>
  /** Expects that the seller has been paid this many times, on chain and in the books. */
  expectPaid(times: 0 | 1): Promise<void>
}

const asset = USDC[CHAIN_ID] as NonNullable<(typeof USDC)[number]>
/** The base URL of MPP's problem types. */
const PROBLEMS = 'https://paymentauth.org/problems/'

export const openTill: Record<TillName, (place: Place) => Promise<Till>> = {
  'pay link by x402': openLinkTill,
  'pay link by MPP': openMppTill,
  facilitator: openFacilitatorTill,
  'facilitator by Permit2': openPermit2Till,
}

/** Ways to move USDC without our service. */
const onUsdc = ({ rpcUrl }: Pick<Place, 'rpcUrl'>): Pick<Till, 'carry' | 'drain'> => ({
  async carry({ authorization, signature }) {
    const runner = await freshAccount({ rpcUrl })
    const data = transferWithAuthorizationData(authorization, signature)
    await sendBy(runner, asset.contract, data, rpcUrl)
  },
  async drain(account) {
    const value = (await transfersTo(rpcUrl, account.address)).reduce((sum, one) => sum + one, 0n)
    const to = privateKeyToAccount(generatePrivateKey()).address
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, value] })
    await sendBy(account, asset.contract, data, rpcUrl)
  },
})

/** A pay link with unlimited uses, so that a second credit would be possible. */
async function openLinkTill(place: Place): Promise<Till> {
  const link = await openLink(place, PRICE_USD, { type: 'RECURRING', max_uses: 0 })
  return {
    async sign(account, deviation = {}) {
      const asked = await fetch(link.url)
      const demand = decodePaymentRequiredHeader(asked.headers.get('payment-required') ?? '')
      const [offer] = demand.accepts
      if (!offer) throw new Error('the link makes no offer')
      return signX402(account, { offer, resource: demand.resource, deviation })
    },
    async present({ shown }) {
      return outcomeOf(await fetch(link.url, { headers: { 'payment-signature': base64(shown) } }))
    },
    ...onUsdc(place),
    expectPaid: (times) => expectLinkPaid(place, link, times),
  }
}

/** The same for MPP. */
async function openMppTill(place: Place): Promise<Till> {
  const link = await openLink(place, PRICE_USD, { type: 'RECURRING', max_uses: 0 })
  return {
    async sign(account, deviation = {}) {
      const asked = await fetch(link.url, { headers: { 'accept-payment': 'evm/charge' } })
      const challenge = Challenge.fromResponse(asked, { methods: [Methods.charge] })
      const { request } = challenge
      const authorization: TransferAuthorization = {
        from: account.address,
        to: request.recipient as Hex,
        value: BigInt(request.amount),
        validAfter: 0n,
        validBefore: BigInt(Math.floor(Date.parse(challenge.expires ?? '') / 1000)),
        nonce: challengeHash(challenge),
        ...deviation.authorization,
      }
      const signature = await signAuthorization(account, authorization)
      const { amount, payTo, network } = deviation.terms ?? {}
      const terms = {
        ...request,
        ...(amount && { amount }),
        ...(payTo && { recipient: payTo as Hex }),
        ...(network && {
          methodDetails: { ...request.methodDetails, chainId: Number(network.split(':')[1]) },
        }),
      }
      const payload = { type: 'authorization', signature, ...written(authorization) }
      return {
        authorization,
        signature,
        shown: Credential.from({ challenge: { ...challenge, request: terms }, payload }),
      }
    },
    async present({ shown }) {
      const authorization = Credential.serialize(shown as Credential.Credential)
      return outcomeOf(await fetch(link.url, { headers: { authorization } }))
    },
    ...onUsdc(place),
    expectPaid: (times) => expectLinkPaid(place, link, times),
  }
}

async function outcomeOf(response: Response): Promise<Outcome> {
  const body = (await response.json()) as Record<string, string>
  const receipt = body.settlement_id ?? ''
  if (response.status === 200) return { outcome: 'settled', receipt }
  const outcome = body.code === 'settlement_pending' ? 'pending' : 'refused'
  return { outcome, reason: reasonOf(response, body), receipt }
}

/** x402 gives the reason in PAYMENT-RESPONSE, MPP in the type of its problem document. */
function reasonOf({ headers }: Response, body: Record<string, string>): string {
  const settlement = headers.get('payment-response')
  if (settlement) return decodePaymentResponseHeader(settlement).errorReason ?? ''
  return body.type?.startsWith(PROBLEMS) ? body.type.slice(PROBLEMS.length) : (body.error ?? '')
}

async function expectLinkPaid(
  { rpcUrl }: Place,
  link: Awaited<ReturnType<typeof openLink>>,
  times: 0 | 1,
): Promise<void> {
  expect(await transfersTo(rpcUrl, link.payTo)).toEqual(Array(times).fill(PRICE))
  expect(await link.received()).toBe(times * NET_USD)
}

/** The facilitator with a seller that asks for the price and serves after `success`. */
async function openFacilitatorTill(place: Place): Promise<Till> {
  const { rpcUrl } = place
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
    sign: (account, deviation = {}) =>
      signX402(account, { offer: paymentRequirements, resource: undefined, deviation }),
    present: ({ shown: paymentPayload }, requestName) =>
      settleAt(place, paymentRequirements, { paymentPayload, requestName }),
    ...onUsdc(place),
    expectPaid: async (times) =>
      expect(await transfersTo(rpcUrl, payTo)).toEqual(Array(times).fill(PRICE)),
  }
}

async function signX402(
  account: PrivateKeyAccount,
  of: { offer: PaymentRequirements; resource: ResourceInfo | undefined; deviation: Deviation },
): Promise<Signed> {
  const { offer, resource, deviation } = of
  const authorization: TransferAuthorization = {
    from: account.address,
    to: offer.payTo as Hex,
    value: BigInt(offer.amount),
    validAfter: 0n,
    validBefore: BigInt(Math.floor(Date.now() / 1000) + offer.maxTimeoutSeconds),
    nonce: randomHex(32),
    ...deviation.authorization,
  }
  const signature = await signAuthorization(account, authorization)
  const payload = { signature, authorization: written(authorization) }
  const accepted = { ...offer, ...deviation.terms }
  const shown = { x402Version: 2, ...(resource && { resource }), accepted, payload }
  return { authorization, signature, shown }
}

const signAuthorization = (account: PrivateKeyAccount, authorization: TransferAuthorization) =>
  account.signTypedData(authorizationTypedData(asset, authorization))

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')
