/** Every state of the checkout, on a real service: what a payer may open, and what is then on the page. */
import { encodeFunctionData, erc20Abi } from 'viem'
import { expect } from 'vitest'
import { sql } from '../../src/base/db/sql.ts'
import { watchOnce } from '../../src/links/watcher/pass.ts'
import { directSeller, report, reportTo } from '../actors/direct/direct-kit.ts'
import { NETWORK } from '../actors/facilitator-kit.ts'
import { newToken, sendBy } from '../actors/token-kit.ts'
import { until } from '../until.ts'
import { freshAccount } from '../world/chain.ts'
import type { World } from '../world.ts'
import { openShop, type Shop } from './kit.ts'

export type State = [name: string, path: string, there: string]

const at = ({ code }: { code: string }, rest = ''): string => `/pay/${code}${rest}`

export async function everyState(w: World): Promise<State[]> {
  await w.withGas()
  const shop = await openShop(w)
  const direct = await directStates(w)
  const ended = await endedLinks(w, shop)
  const ways = await openLinks(w, shop)
  const moved = await exceptions(w, shop)
  const seen = await shop.open()
  const seenAtEnd = await shop.open({ expires_in: 1 })
  const seenShort = await shop.open()
  await w.advance(7_200)
  const payer = await freshAccount({ usdc: 9_000_000n })
  await w.transfer(payer, seen.deposit_address, 2_500_000n)
  await w.transfer(payer, seenAtEnd.deposit_address, 2_500_000n)
  await w.transfer(payer, seenShort.deposit_address, 1_500_000n)
  await watchOnce(w.services, w.now())
  return [
    ...ways,
    ['seen', at(seen), 'Payment seen, waiting for confirmation'],
    ['seen-short', at(seenShort), 'It is too little.'],
    ['seen-at-end', at(seenAtEnd), 'A transfer to this link is being confirmed'],
    ...ended,
    ...moved,
    ...direct,
    ['missing', '/pay/PL_0000000000', 'No such pay link'],
  ]
}

async function openLinks(w: World, shop: Shop): Promise<State[]> {
  const long = await openShop(w, { name: 'Ein sehr langer Name '.repeat(4).trim().slice(0, 80) })
  const plain = await openShop(w, {})
  const hebrew = await openShop(w, { name: 'בית התה של רות' })
  const only = (protocol: string) => shop.open({ accepted_protocols: [protocol] })
  const free = await shop.open({ amount: null, min_amount: 1, max_uses: 0, type: 'RECURRING' })
  const several = await shop.open({ type: 'RECURRING', max_uses: 5 })
  await payByCard(w, several)
  const shown = { success_url: 'https://tea.example/done', cancel_url: 'https://tea.example/' }
  const bag = { memo: 'Wort'.repeat(125), amount: '123456789.123456' }
  const forPrograms = 'Only programs can pay this link'
  return [
    ['open', at(await shop.open({ expires_in: 3, ...shown })), 'Open for payment'],
    ['plain', at(await plain.open({ memo: undefined })), 'Open for payment'],
    ['choice', at(free), 'How much?'],
    ['chosen', at(free, '?amount=7.25'), 'Ways to pay'],
    ['small', at(free, '?amount=0.5'), 'Enter another amount.'],
    ['several', at(several), '1 of 5 taken'],
    ['x402', at(await only('x402')), 'This browser has no wallet'],
    ['mpp', at(await only('mpp')), forPrograms],
    ['ap2', at(await only('ap2')), forPrograms],
    ['card', at(await only('card')), 'Card token'],
    ['onchain', at(await only('onchain')), 'Send exactly'],
    ['long', at(await long.open(bag)), '123,456,789.123456'],
    ['hebrew', at(await hebrew.open({ memo: 'שתי קופסאות תה (ירוק) — 2 x 50g' })), 'Ways to pay'],
  ]
}

async function endedLinks(w: World, shop: Shop): Promise<State[]> {
  const [expired, cancelled, paid, refused] = [
    await shop.open({ expires_in: 1, cancel_url: 'https://tea.example/basket' }),
    await shop.open(),
    await shop.open({ success_url: 'https://tea.example/done?payment={PAYMENT_ID}' }),
    await shop.open(),
  ]
  await shop.seller.send('DELETE', `/api/paylinks/${cancelled.code}`)
  const receipt = await payByCard(w, paid)
  const none = `0x${'12'.repeat(32)}`
  const elsewhere = await w.transfer(
    await freshAccount({ usdc: 3_000_000n }),
    (await freshAccount()).address,
    2_500_000n,
  )
  return [
    ['expired', at(expired), 'This link has expired'],
    ['cancelled', at(cancelled), 'This link was cancelled'],
    ['paid', at(paid), 'This link was settled'],
    ['receipt', at(paid, `/paid?settlement=${receipt}`), 'Keep the receipt number'],
    ['pending', at(refused, `/paid?tx_hash=${none}`), 'Waiting for the network'],
    ['failed', at(refused, `/paid?tx_hash=${elsewhere}`), 'did not go through'],
    ['unknown', at(paid, '/paid?settlement=stl_none'), 'No such receipt'],
  ]
}

/** Money that came short, over, late and to closed links, and what its sellers did with it. */
async function exceptions(w: World, shop: Shop): Promise<State[]> {
  const [short, kept, refunded, over, closed, late] = [
    await shop.open(),
    await shop.open(),
    await shop.open(),
    await shop.open(),
    await shop.open(),
    await shop.open({ expires_in: 0.0003 }),
  ]
  await shop.seller.send('DELETE', `/api/paylinks/${closed.code}`)
  await until(
    async () => (await w.call('GET', `/api/paylinks/${late.code}/status`)).body.status,
    (status) => expect(status).toBe('EXPIRED'),
  )
  const sent: [link: any, hash: string][] = []
  for (const [link, units] of [
    [short, 1_000_000n],
    [kept, 1_500_000n],
    [refunded, 1_500_000n],
    [over, 4_000_000n],
    [closed, 2_500_000n],
    [late, 2_500_000n],
  ] as const) {
    const payer = await freshAccount({ usdc: 9_000_000n })
    sent.push([link, await w.transfer(payer, link.deposit_address, units)])
  }
  await w.safe()
  for (const [{ code }, tx_hash] of sent) await reportTo(w, { code }, { tx_hash })
  const act = async ({ code }: { code: string }, verb: string) => {
    const { exceptions } = (await shop.seller.get(`/api/exceptions?pay_link_code=${code}`)).body
    const done = await shop.seller.post(`/api/exceptions/${exceptions[0].id}/${verb}`)
    expect(done.status, done.text).toBeLessThan(300)
  }
  await act(kept, 'keep')
  await act(refunded, 'refund')
  const words = [
    'It is not lost',
    'The seller has kept it',
    'sending it back',
    'You sent more',
    'had cancelled the link',
    'after the link had expired',
  ]
  const names = ['short', 'kept', 'refunded', 'over', 'closed', 'late']
  return sent.map(([link, hash], i) => [names[i]!, at(link, `/paid?tx_hash=${hash}`), words[i]!])
}

async function directStates(w: World): Promise<State[]> {
  const s = await directSeller(w)
  const token = await newToken({ symbol: 'BRD', name: 'Bread' })
  await s.seller.post('/api/tokens', { network: NETWORK, address: token.contract })
  const asset = token.contract
  const [usdc, exact, paid, free] = [
    await s.open(),
    await s.open({ asset, amount: '123456789.000000000000000005' }),
    await s.open({ asset, amount: '0.000000000000000007' }),
    await s.open({ asset, amount: null }),
  ]
  const payer = await freshAccount()
  await token.mint(payer.address, 7n)
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [s.wallet, 7n],
  })
  const txHash = await sendBy(payer, asset, data, w.rpcUrl)
  await w.safe()
  const done = await reportTo(w, paid, await report(w, { link: paid, txHash, payer }))
  expect(done.body, done.text).toMatchObject({ status: 'SETTLED' })
  const closed = await directSeller(w)
  const gate = await closed.open()
  await w.write((tx) =>
    sql`update memberships set status = 'EXPIRED' where wallet_address = ${closed.wallet}`.execute(
      tx,
    ),
  )
  return [
    ['direct', at(usdc), "To the seller's wallet"],
    ['token', at(exact), '123,456,789.000000000000000005'],
    ['token-choice', at(free), 'Amount in BRD'],
    ['token-receipt', at(paid, `/paid?tx_hash=${txHash}`), '0.000000000000000007'],
    ['gate', at(gate), 'This link cannot be paid now'],
  ]
}

async function payByCard(w: World, { code }: { code: string }): Promise<string> {
  const purse = await (await w.user({ treasury: 50 })).card({ limit: 40 })
  const paid = await w.call('POST', `/api/pay/${code}/settle`, {
    payer_card_id: purse.id,
    payer_card_token: purse.token,
  })
  expect(paid.status, paid.text).toBe(200)
  return paid.body.settlement_id
}
