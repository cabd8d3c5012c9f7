import { expect, test } from 'vitest'
import { directSeller } from '../../../../test/actors/direct/direct-kit.ts'
import { ownWorld, SAFE_BLOCKS } from '../../../../test/chain-faults/own-world.ts'
import { openShop } from '../../../../test/checkout/kit.ts'
import { until } from '../../../../test/until.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { type World, world } from '../../../../test/world.ts'
import { sql } from '../../../base/db/sql.ts'

const receiptOf = (w: World, id: string) => w.call('GET', `/api/receipts/${id}`)

test('a payment by card has a receipt, which names the seller and hides the card', async () => {
  await using w = await world()
  const shop = await openShop(w)
  const link = await shop.open({ amount: '12.345678' })
  const card = await (await w.user({ treasury: 50 })).card({ limit: 40 })
  const { settlement_id: id } = (
    await w.call('POST', `/api/pay/${link.code}/settle`, {
      payer_card_id: card.id,
      payer_card_token: card.token,
    })
  ).body
  const { status, body, text } = await receiptOf(w, id)
  expect(status).toBe(200)
  expect(body.receipt).toEqual({
    id,
    url: `${link.url}/paid?settlement=${id}`,
    pay_link_code: link.code,
    memo: 'Two boxes of tea',
    amount: 12.345678,
    asset: 'USDC',
    network: link.network,
    over: null,
    protocol: 'card',
    payer: `card …${card.id.slice(-4)}`,
    seller: {
      wallet_address: shop.seller.wallet,
      name: 'Tea & Co',
      logo_url: expect.stringContaining('/logos/'),
      support_url: 'https://tea.example/help',
    },
    tx_hash: null,
    settled_at: expect.stringMatching(/^\d{4}-.*Z$/),
  })
  // The seller's part and fee are not the payer's affair.
  expect(text).not.toMatch(new RegExp(`${card.id}|fee|net_amount|${shop.till.id}`))
})

test('a transfer that counts has a receipt, with what came beyond the amount', async () => {
  await using w = await world()
  await w.withGas()
  const shop = await openShop(w)
  const link = await shop.open({ amount: 2 })
  const payer = await freshAccount({ usdc: 9_000_000n })
  const hash = await w.transfer(payer, link.deposit_address, 3_000_000n)
  await w.call('POST', `/api/pay/${link.code}/settle`, { tx_hash: hash })
  await w.safe()
  const settled = await w.call('POST', `/api/pay/${link.code}/settle`, { tx_hash: hash })
  const { receipt } = (await receiptOf(w, settled.body.settlement_id)).body
  expect(receipt).toMatchObject({ amount: 2, over: 1, tx_hash: hash, protocol: 'onchain' })
  expect(receipt.payer).toBe(`${payer.address.slice(0, 6)}…${payer.address.slice(-4)}`)
})

test('a payment to the seller’s own wallet has a receipt once it counts, and not before', async () => {
  // On a chain of its own: elsewhere others make blocks, and a payment may count at once.
  await using own = await ownWorld()
  const { w } = own
  await w.withGas()
  const s = await directSeller(w)
  const link = await s.open({ amount: 0.5 })
  const payer = await freshAccount({ usdc: 1_000_000n, rpcUrl: w.rpcUrl })
  const hash = await w.transfer(payer, s.wallet as never, 500_000n)
  const { message } = (await w.call('GET', `/api/pay/${link.code}/prepare`)).body.direct
  const signature = await payer.signMessage({ message: message.replace('{tx_hash}', hash) })
  const report = () =>
    w.call('POST', `/api/pay/${link.code}/settle`, {
      ...{ tx_hash: hash, from_address: payer.address, signature },
    })
  expect((await report()).body).toMatchObject({ status: 'PENDING' })
  const { rows } = await sql<{ id: string }>`select id from direct_settlements`.execute(w.db.reader)
  expect(rows).toHaveLength(1)
  expect((await receiptOf(w, rows[0]!.id)).body).toMatchObject({ code: 'not_found' })
  await own.blocks(SAFE_BLOCKS)
  const reported = await report()
  expect(reported.body, reported.text).toMatchObject({ status: 'SETTLED' })
  const { receipt } = (await receiptOf(w, reported.body.settlement_id)).body
  expect(receipt).toMatchObject({
    amount: 0.5,
    token_contract: link.token_contract,
    seller: { wallet_address: s.wallet, name: null },
  })
})

test('an id of nothing, of another link or of another kind is a 404, as JSON and as a page', async () => {
  await using w = await world()
  const shop = await openShop(w)
  const [link, other] = [await shop.open(), await shop.open()]
  const card = await (await w.user({ treasury: 50 })).card({ limit: 40 })
  const { settlement_id: id } = (
    await w.call('POST', `/api/pay/${link.code}/settle`, {
      payer_card_id: card.id,
      payer_card_token: card.token,
    })
  ).body
  for (const none of [`stl_${'0'.repeat(26)}`, link.id, card.id, 'x'.repeat(64)])
    expect((await receiptOf(w, none)).body).toMatchObject({ code: 'not_found' })
  const page = (code: string, settlement: string) =>
    w.call('GET', `/pay/${code}/paid?settlement=${settlement}`, undefined, {
      headers: { accept: 'text/html' },
    })
  expect((await page(link.code, id)).status).toBe(200)
  for (const [code, settlement] of [
    [other.code, id],
    [link.code, `stl_${'0'.repeat(26)}`],
  ]) {
    const none = await page(code, settlement)
    expect(none.status).toBe(404)
    expect(none.text).toContain('No such receipt')
  }
})

test('the page of money that did not fit says what has become of it, and no more of a link that has ended', async () => {
  await using w = await world()
  await w.withGas()
  const shop = await openShop(w)
  const link = await shop.open({ amount: 3, expires_in: 1 })
  const payer = await freshAccount({ usdc: 9_000_000n })
  const hash = await w.transfer(payer, link.deposit_address, 2_000_000n)
  const pageOf = async (tx_hash: string) =>
    (await w.call('GET', `/pay/${link.code}/paid?tx_hash=${tx_hash}`)).text
  await w.safe()
  await w.call('POST', `/api/pay/${link.code}/settle`, { tx_hash: hash })
  const none = `0x${'12'.repeat(32)}`
  expect(await pageOf(hash)).toContain('To pay the link, send the whole amount in one.')
  expect(await pageOf(none)).toContain('the payment counts all the same')
  await w.advance(3_700)
  expect(await pageOf(hash)).not.toContain('To pay the link')
  expect(await pageOf(none)).not.toMatch(/counts (once|all)/)
  const [{ id }] = (await shop.seller.get('/api/exceptions')).body.exceptions
  const refund = await shop.seller.post(`/api/exceptions/${id}/refund`)
  expect(refund.status, refund.text).toBeLessThan(300)
  expect(await pageOf(hash)).toContain('The seller is sending it back')
  const find = async () => {
    await w.block()
    await w.advance(5)
    await w.runJobs()
    return (await shop.seller.get('/api/withdrawals')).body.withdrawals[0]
  }
  const paid = await until(find, ({ status }) => expect(status).toBe('COMPLETED'))
  const shown = await pageOf(hash)
  expect(shown).toContain('The seller has sent it back to the address it came from.')
  expect(shown).toContain(paid.tx_hash)
})
