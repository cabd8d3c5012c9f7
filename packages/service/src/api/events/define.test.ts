import { expect, test } from 'vitest'
import { USDC } from '../../base/kernel/assets.ts'
import { EVENT_KINDS, EVENT_TYPES } from './catalogue.ts'
import { logFact, nonceFact } from './fact-id.ts'
import { cardFunded } from './types/cards.ts'
import { fundingConfirmed, withdrawalCompleted } from './types/treasury.ts'

const asset = USDC[8453]
if (!asset) throw new Error('USDC on Base is known')
const walletAddress = '0x00000000000000000000000000000000000000A1'

test('amounts are base units in the code and whole units in the data', () => {
  const data = { card_id: 'card_1', added: 1_500_000n, new_limit: 2_000_001n }
  expect(cardFunded.of({ walletAddress, asset, data })).toEqual({
    type: 'card.funded',
    id: null,
    walletAddress,
    subject: 'card_1',
    cardId: 'card_1',
    data: { card_id: 'card_1', added: 1.5, new_limit: 2.000001 },
  })
})

test('an asset with more decimals than a number holds adds base units', () => {
  const wide = { ...asset, decimals: 18 }
  const data = { card_id: 'card_1', added: 10n ** 18n + 1n, new_limit: 5n }
  expect(cardFunded.of({ walletAddress, asset: wide, data }).data).toEqual({
    card_id: 'card_1',
    added: 1,
    added_atomic: '1000000000000000001',
    new_limit: 5e-18,
    new_limit_atomic: '5',
  })
})

test('data that do not fit do not compile, and are refused where the compiler was silenced', () => {
  const data = { card_id: 'card_1', added: 1n, new_limit: 1n }
  // biome-ignore format: a comment silences the line below it
  const wrong = [
    // @ts-expect-error `new_limit` is not there.
    () => cardFunded.of({ walletAddress, asset, data: { card_id: 'card_1', added: 1n } }),
    // @ts-expect-error `new_limit` is text.
    () => cardFunded.of({ walletAddress, asset, data: { ...data, new_limit: 'much' } }),
    // @ts-expect-error `card_id` may not be null.
    () => cardFunded.of({ walletAddress, asset, data: { ...data, card_id: null } }),
    // @ts-expect-error No such field.
    () => cardFunded.of({ walletAddress, asset, data: { ...data, payer_card_id: 'card_2' } }),
  ]
  for (const build of wrong) expect(build).toThrow(/fit its schema/)
  // @ts-expect-error An amount needs its asset.
  expect(() => cardFunded.of({ walletAddress, data })).toThrow(/names the asset/)
})

test('a fact of the chain has one id, however often it is read; another fact, wallet or type has another', () => {
  const log = { network: 'eip155:8453', txHash: '0xabc', logIndex: 3 }
  const funded = (fact: typeof log, wallet = walletAddress) =>
    fundingConfirmed.of({
      walletAddress: wallet,
      asset,
      fact: logFact(fact),
      data: { deposit_id: 'dep_1', tx_hash: fact.txHash, amount: 1n },
    }).id
  expect(funded(log)).toMatch(/^evt_[0-9a-hjkmnp-tv-z]{26}$/)
  expect(funded(log)).toBe(funded({ ...log }))
  const ids = [
    funded(log),
    funded({ ...log, logIndex: 4 }),
    funded(log, '0x00000000000000000000000000000000000000B2'),
    withdrawalCompleted.of({
      walletAddress,
      asset,
      fact: nonceFact('eip155:8453:0xabc:3'),
      data: {
        withdrawal_id: 'wd_1',
        status: 'COMPLETED',
        amount: 1n,
        fee_amount: 0n,
        net_amount: 1n,
        to_address: walletAddress,
        tx_hash: null,
        reason: null,
      },
    }).id,
  ]
  expect(new Set(ids).size).toBe(ids.length)
})

test('each type is in the catalogue once', () => {
  expect(EVENT_TYPES.size).toBe(EVENT_KINDS.length)
  for (const { type } of EVENT_KINDS) expect(type).toMatch(/^[a-z]+\.[a-z_]+$/)
})
