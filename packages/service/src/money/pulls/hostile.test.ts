import { expect, test } from 'vitest'
import { untilEnded } from '../../../test/actors/payers/payer.ts'
import { type Manner, newToken } from '../../../test/actors/token-kit.ts'
import { type World, world } from '../../../test/world.ts'
import { all, sql } from '../../base/db/sql.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { amount } from '../../base/kernel/money.ts'
import { requestPull } from './pull.ts'

let charges = 0

/** A pull of 5,000 of a token that turns bad once the wallet has allowed it. */
async function pulled(w: World, manner: Manner) {
  const user = await w.user()
  const token = await newToken({ manner: 'Honest', held: 0n })
  await token.mint(user.account.address, 9_000n)
  const spender = w.chain.settler!
  await w.mined(await w.approve(user.account, { spender, value: 9_000n, token: token.contract }))
  await token.setManner(manner)
  const chargeId = `odd_${++charges}`
  const asset = { ...w.chain.asset, symbol: 'ODD', contract: token.contract as Address }
  await w.write((tx) =>
    requestPull(tx, w.now(), {
      chargeId,
      agreementId: `agr_${chargeId}`,
      periodKey: 'p1',
      walletAddress: user.account.address,
      amount: amount(5_000n),
      asset,
    }),
  )
  return untilEnded(w, chargeId)
}

test('a token that pauses, refuses, burns gas, takes a fee or moves nothing costs no transaction', async () => {
  await using w = await world({ pulls: true })
  await w.withGas()
  const manners = ['Honest', 'Paused', 'Refuses', 'BurnsGas', 'TakesFee', 'MovesNothing'] as const
  const ends = await Promise.all(manners.map((manner) => pulled(w, manner)))
  expect(ends.map(({ state, reason, attempts }) => [state, reason, attempts])).toEqual([
    ['confirmed', null, 1],
    ['failed', 'token_refused', 0],
    ['failed', 'token_refused', 0],
    ['failed', 'token_refused', 0],
    ['failed', 'token_refused', 0],
    ['failed', 'token_refused', 0],
  ])
  const booked = await all(w.db.reader, sql`select ref from ledger_transfers where kind = 'pull'`)
  expect(booked).toHaveLength(1)
  expect(await w.faults()).toEqual([])
})
