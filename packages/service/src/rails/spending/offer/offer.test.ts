import { expect, test } from 'vitest'
import { type Address, type Asset, USDC } from '../../../base/kernel/assets.ts'
import { amount } from '../../../base/kernel/money.ts'
import { makeChallenge } from '../../../base/protocols/mpp/binding.ts'
import {
  agentcardTerms,
  readAgentcardTerms,
} from '../../../base/protocols/mpp/methods/agentcard.ts'
import { evmTerms, readEvmTerms } from '../../../base/protocols/mpp/methods/evm.ts'
import { chooseOffer, type Demand, type Offer, type Terms } from './offer.ts'

const usdc = USDC[8453] as Asset
const SHOP: Address = '0x52908400098527886E0F7030069857D2E4169EE7'
const terms: Terms = {
  asset: usdc,
  notPayees: [],
  tariff: { bps: 50n, flat: amount(0n) },
  sellersTariff: { bps: 50n, flat: amount(0n) },
  maxAmount: undefined,
}
const demand = (offers: Offer[]): Demand => ({
  version: 2,
  speaks: ['x402', 'mpp'],
  offers,
  refused: [],
  fault: undefined,
  problem: undefined,
})
const challengeOf = (method: string, wire: ReturnType<typeof evmTerms>) =>
  makeChallenge(Buffer.alloc(32, 1), {
    realm: 'shop.example',
    method,
    intent: 'charge',
    terms: wire,
    scope: 'x',
    salt: 'x',
    expires: new Date(9e12),
  })

const x402 = (asked: bigint): Offer => {
  const offer = {
    ...{
      scheme: 'exact' as const,
      mechanism: 'eip3009' as const,
      network: usdc.network,
      asset: usdc.contract,
      payTo: SHOP,
    },
    amount: asked,
    maxTimeoutSeconds: 60,
    raw: {},
  } as const
  const challenge = { version: 2, offers: [offer], skipped: [], paymentRequired: {} } as const
  return { method: 'x402', challenge, offer }
}
const evm = (asked: bigint): Offer => {
  const wire = evmTerms({ asset: usdc, amount: amount(asked), recipient: SHOP })
  const charge = readEvmTerms(wire)
  if (typeof charge === 'string') throw new Error(charge)
  const [challenge, expires] = [challengeOf('evm', wire), undefined]
  return {
    method: 'evm',
    offer: { method: 'evm', challenge, charge, asset: usdc, amount: asked, expires },
  }
}
const agentcard = (asked: bigint): Offer => {
  const issuer = 'https://purser.example'
  const wire = agentcardTerms({ issuer, asset: usdc, amount: amount(asked), recipient: 'PL_A' })
  const charge = readAgentcardTerms(wire)
  if (typeof charge === 'string') throw new Error(charge)
  const [challenge, expires] = [challengeOf('agentcard', wire), undefined]
  return {
    method: 'agentcard',
    offer: { method: 'agentcard', challenge, charge, asset: usdc, amount: asked, expires },
  }
}

test.each([
  // Either way the card pays the same: 10,000 and our fee of 50, or 10,050 without the chain.
  ['agentcard', [evm(10_000n), x402(10_000n), agentcard(10_050n)]],
  ['x402', [evm(10_000n), x402(10_000n), agentcard(10_051n)]],
  ['evm', [evm(9_999n), x402(10_000n), agentcard(10_050n)]],
  ['x402', [x402(10_000n), evm(10_000n)]],
] as const)('what takes least from the card is paid, and of equals %s', (method, offers) => {
  expect(chooseOffer(demand([...offers]), terms).method).toBe(method)
})

test('the fee comes on top outside, and out of the price here', () => {
  expect(chooseOffer(demand([evm(10_000n)]), terms)).toMatchObject({
    merchantAmount: 10_000n,
    fee: 50n,
    debit: 10_050n,
  })
  expect(chooseOffer(demand([agentcard(10_000n)]), terms)).toMatchObject({
    merchantAmount: 9_950n,
    fee: 50n,
    debit: 10_000n,
  })
})

test('of two that cost the same in the same way, the first of the seller is paid', () => {
  const [first, second] = [evm(10_000n), evm(10_000n)]
  const chosen = chooseOffer(demand([first, second]), terms)
  expect(chosen.offer).toBe(first.offer)
})

test('every offer that cannot be paid is named with its reason', () => {
  const wish = { ...terms, maxAmount: amount(10_049n), notPayees: [SHOP.toLowerCase()] }
  const refuse = (more: Partial<Terms>) => {
    try {
      return chooseOffer(demand([evm(10_000n), agentcard(20_000n)]), { ...wish, ...more })
    } catch (error) {
      const { extra } = error as { extra: { challenge: { offers: { reason: string }[] } } }
      return extra.challenge.offers.map(({ reason }) => reason)
    }
  }
  expect(refuse({})).toEqual(['not_a_payee', 'above_max_amount'])
  expect(refuse({ notPayees: [] })).toEqual(['above_max_amount', 'above_max_amount'])
  expect(refuse({ protocol: 'x402' })).toEqual(['protocol_not_wanted', 'protocol_not_wanted'])
})
