import { expect, test } from 'vitest'
import { type World, world } from '../../../../../test/world.ts'
import { sql } from '../../../../base/db/sql.ts'
import { perLimit } from '../../../../base/kernel/card-limits.ts'
import { newId } from '../../../../base/kernel/ids.ts'
import { amount, ZERO } from '../../../../base/kernel/money.ts'
import { insertTransactions } from '../../../../money/cards/transactions.ts'

/** A payer whose card has paid a link twice and was declined once, with a transaction of another kind in between. */
async function paidTwice(w: World) {
  const seller = await w.user({ treasury: 10 })
  const payer = await w.user({ treasury: 100 })
  const issue = async (user: typeof seller, limit: number) =>
    (await user.post('/api/issue', { purpose: 'card', limit_amount: limit, daily_limit: 100 })).body
      .card
  const [sellerCard, card] = [await issue(seller, 1), await issue(payer, 25)]
  const link = (
    await seller.post('/api/paylinks', {
      card_id: sellerCard.id,
      amount: 10,
      memo: 'tea',
      type: 'RECURRING',
      max_uses: 0,
    })
  ).body
  const pay = () =>
    w.call('POST', `/api/pay/${link.code}/settle`, {
      protocol: 'card',
      payer_card_id: card.id,
      payer_card_token: card.token,
    })
  const first = await pay()
  await w.advance(1)
  const at = w.now()
  await w.write((tx) =>
    insertTransactions(tx, [
      {
        id: newId('txn', at),
        cardId: card.id,
        walletAddress: payer.wallet,
        direction: 'sent',
        amount: amount(5n),
        fee: ZERO,
        merchant: 'shop.example',
        protocol: 'x402',
        status: 'FAILED',
        network: 'eip155:84532',
        asset: 'USDC',
        txHash: null,
        ref: 'elsewhere',
        memo: '',
        createdAt: at,
        settledAt: null,
      },
    ]),
  )
  await w.advance(1)
  const second = await pay()
  await w.advance(1)
  expect([first.status, second.status, (await pay()).status]).toEqual([200, 200, 403])
  return { seller, payer, sellerCard, card, link, first: first.body, second: second.body }
}

/** Every item of a list, asked for one by one. */
async function paged(get: (after: string) => Promise<any[]>): Promise<any[]> {
  const items: any[] = []
  for (;;) {
    const [item] = await get(items.length === 0 ? '' : `&after=${items.at(-1).id}`)
    if (!item) return items
    items.push(item)
  }
}

test('transactions and decisions that are read from a settlement are listed among those with rows of their own', async () => {
  await using w = await world()
  const { payer, seller, card, sellerCard, link, first, second } = await paidTwice(w)
  const path = `/api/cards/${card.id}`
  const sent = await paged(
    async (after) =>
      (await payer.get(`${path}/transactions?limit=1${after}`)).body.transactions as any[],
  )
  expect(sent).toEqual((await payer.get(`${path}/transactions`)).body.transactions)
  expect(sent.map((one) => [one.protocol, one.amount, one.merchant])).toEqual([
    ['card', 10, link.code],
    ['x402', 0.000005, 'shop.example'],
    ['card', 10, link.code],
  ])
  expect([sent[0].id, sent[2].id]).toEqual([second.transaction_id, first.transaction_id])
  const received = (await seller.get(`/api/cards/${sellerCard.id}/transactions`)).body.transactions
  expect(received.map((one: any) => [one.direction, one.memo])).toEqual([
    ['received', 'tea'],
    ['received', 'tea'],
  ])

  const decisions = await paged(
    async (after) => (await payer.get(`${path}/decisions?limit=1${after}`)).body.decisions,
  )
  expect(decisions).toEqual((await payer.get(`${path}/decisions`)).body.decisions)
  expect(decisions.map((one) => [one.allowed, one.rule, one.inputs.spent])).toEqual([
    [false, 'limit_exceeded', '20000000'],
    [true, 'within_limits', '10000000'],
    [true, 'within_limits', '0'],
  ])
  const named = ({ inputs }: any) => Object.keys(inputs).filter((name) => name !== 'mcc')
  expect(named(decisions[1])).toEqual(named(decisions[0]))
  expect(decisions[1].inputs).toMatchObject({
    ...decisions[0].inputs,
    spent: '10000000',
    available: '15000000',
    daily_limit: '100000000',
    ...perLimit('usedName', () => '10000000'),
  })
})

test('both sides of a settlement show what was given back', async () => {
  await using w = await world()
  const { seller, payer, card, sellerCard } = await paidTwice(w)
  const listed = async (user: typeof seller, id: string) =>
    (await user.get(`/api/cards/${id}/transactions`)).body.transactions.filter(
      (row: { refund_of?: string }) => row.refund_of === undefined,
    )
  const [received] = await listed(seller, sellerCard.id)
  const refund = (body: object) => seller.post(`/api/payments/${received.id}/refund`, body)
  expect((await refund({ amount: 4 })).status).toBe(200)
  expect((await listed(payer, card.id))[0]).toMatchObject({ status: 'SETTLED', refunded: 4 })
  expect((await refund({})).status).toBe(200)
  expect((await listed(payer, card.id))[0]).toMatchObject({ status: 'REFUNDED' })
  expect((await listed(seller, sellerCard.id))[0]).toMatchObject({
    status: 'REFUNDED',
    refunded: received.amount,
  })
  expect((await refund({})).body.code).toBe('already_refunded')
  expect(await w.faults()).toEqual([])
})

test('the database refuses a settlement of somebody else, and any change of one', async () => {
  await using w = await world()
  const { second } = await paidTwice(w)
  const change = (set: string) =>
    w.write((tx) =>
      sql`update settlements set ${sql.raw(set)} where id = ${second.settlement_id}`.execute(tx),
    )
  for (const set of ['amount = amount + 1', `decided_on = '{}'`, `payer = 'card_x'`])
    await expect(change(set)).rejects.toThrow('insert only')
  await expect(change('refunded = amount + 1')).rejects.toThrow('refunded_within_amount')
  await expect(w.write((tx) => sql`delete from settlements`.execute(tx))).rejects.toThrow(
    'insert only',
  )
  const forge = (column: string, value: string) =>
    w.write((tx) =>
      sql`insert into settlements
        select (jsonb_populate_record(s, jsonb_build_object('id', 'stl_forged', ${column}::text, ${value}::text))).*
        from settlements s where id = ${second.settlement_id}`.execute(tx),
    )
  await expect(forge('payer_wallet', '0xother')).rejects.toThrow('or not its wallet')
  await expect(forge('receiver_card_id', 'card_other')).rejects.toThrow('or not its receiver')
})
