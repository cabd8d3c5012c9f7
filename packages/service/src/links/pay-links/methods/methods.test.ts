import { expect, test } from 'vitest'
import {
  directMandate,
  openShop,
  type Shop,
  settleBody,
  settleWith,
  termsFor,
} from '../../../../test/actors/ap2/shop.ts'
import { payWith, present, report, signed } from '../../../../test/actors/attack-kit.ts'
import { payByWallet } from '../../../../test/actors/mpp-payers.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { type World, world } from '../../../../test/world.ts'
import { sql } from '../../../base/db/sql.ts'
import { LINK_RAILS } from '../../../base/protocols/rails.ts'
import type { LinkProtocol } from '../../link/store.ts'
import { html } from '../pieces/html.ts'
import { cardPaymentLane } from './card/settle.ts'
import type { PayMethod } from './method.ts'
import { METHODS } from './methods.ts'

/** Pays the shop's link by one method. A method without an entry does not compile. */
const PAYERS: Record<LinkProtocol, (w: World, shop: Shop) => Promise<unknown>> = {
  card: (w, { link, card }) => payWith(w, link.code, card),
  ap2: async (w, shop) => {
    const closed = await directMandate(termsFor(w, shop.link, shop.card), shop.userKey)
    return settleWith(shop.payer, settleBody(shop, closed))
  },
  x402: async (w, { link }) => {
    const payer = await freshAccount({ usdc: 30_000_000n })
    return present(w, link.code, await signed(w, payer, await addressOf(w, link), 25_000_000n))
  },
  mpp: async (w, { link }) => {
    const payer = await freshAccount({ usdc: 30_000_000n })
    return payByWallet(payer)(`${await w.listen()}/pay/${link.code}`)
  },
  onchain: async (w, { link }) => {
    const payer = await freshAccount({ usdc: 30_000_000n })
    const hash = await w.transfer(payer, await addressOf(w, link), 25_000_000n)
    await w.safe()
    return report(w, link.code, hash)
  },
}

const addressOf = async (w: World, link: Shop['link']): Promise<`0x${string}`> =>
  (await w.call('GET', `/api/pay/${link.code}/prepare`)).body.treasury_address

const page = (w: World, path: string) =>
  w.call('GET', path, undefined, { headers: { accept: 'text/html' } })

test('the list has a method for every protocol that a link may accept', () => {
  const protocols = METHODS.map(({ protocol }) => protocol)
  expect(protocols.toSorted()).toEqual(LINK_RAILS.toSorted())
})

test.each(METHODS)(
  '$protocol is offered, shown to people and programs, and settled',
  async (method) => {
    await using w = await world()
    await w.withGas()
    const shop = await openShop(w, { link: { accepted_protocols: [method.protocol] } })
    const { code } = shop.link
    const demand = await w.call('GET', `/pay/${code}`)
    for (const name of Object.keys(method.demand?.headers ?? {}))
      expect(demand.headers[name.toLowerCase()]).toBeTruthy()
    const prepared = (await w.call('GET', `/api/pay/${code}/prepare`)).body
    for (const { protocol, prepare } of METHODS)
      if (prepare) expect(prepared[prepare.field] !== null).toBe(protocol === method.protocol)
    const shown = (await page(w, `/pay/${code}`)).text
    expect(method.page, 'a method has its place on the page').toBeDefined()
    // A signature is asked for on DIRECT links alone (`direct/page.test.ts`).
    for (const { protocol, page } of METHODS)
      for (const name of Object.keys(page?.form?.fields ?? {}).filter((one) => one !== 'signature'))
        expect(shown.includes(`name="${name}"`)).toBe(protocol === method.protocol)

    await PAYERS[method.protocol](w, shop)
    const { rows } = await sql<{
      id: string
      protocol: string
      state: string
    }>`select s.id, s.protocol, s.state
    from settlements s join pay_links l on l.id = s.pay_link_id where l.code = ${code}`.execute(
      w.db.reader,
    )
    expect(rows).toMatchObject([{ protocol: method.protocol, state: 'settled' }])
    const receipt = await page(w, `/pay/${code}/paid?settlement=${rows[0]?.id}`)
    expect(receipt.text).toContain(method.label)
    expect(await w.faults()).toEqual([])
  },
)

/** Pays from a card that a voucher in a header names. */
const voucher: PayMethod = {
  protocol: 'voucher' as LinkProtocol,
  label: 'paper voucher',
  demand: {
    headers: {},
    make: () => ({ isOffered: true, headers: { 'x-voucher': 'wanted' }, body: { voucher: 1 } }),
  },
  present: {
    requestHeaders: ['x-voucher'],
    receiptHeaders: {},
    ways: [],
    read(headers) {
      const [cardId, token] = headers['x-voucher']?.split(' ') ?? []
      if (cardId === undefined || token === undefined) return undefined
      return async ({ lanes, settings, chain }, _, { link }) => {
        const paid = { code: link.code, cardId, token, amount: null, protocol: 'card' as const }
        const payment = { ...paid, chain, fee: settings.fee }
        const outcome = await lanes.submit(cardPaymentLane, payment, () => undefined)
        if (outcome.kind === 'refused') throw outcome.problem
        return { kind: 'settled', settled: outcome.settled, headers: { 'x-voucher': 'taken' } }
      }
    },
  },
  page: { program: () => html`<h4>Paper voucher</h4>` },
}

test('a method whose rail is declared is offered, shown and settled, with no other change', async () => {
  await using w = await world()
  const { link, card } = await openShop(w)
  const accept = sql`update pay_links set accepted_protocols = '{voucher,card}' where code = ${link.code}`
  await expect(accept.execute(w.db.reader)).rejects.toThrow('violates check constraint')
  // As the line of `001-rules` would be with one word more.
  await sql`create or replace function are_link_rails(rails text[]) returns boolean language sql immutable parallel safe as
    'select rails <@ array[''voucher'', ''card'']'`.execute(w.db.reader)
  await accept.execute(w.db.reader)
  const list = METHODS as PayMethod[]
  list.push(voucher)
  try {
    const demand = await w.call('GET', `/pay/${link.code}`)
    expect(demand).toMatchObject({ status: 402, body: { voucher: 1 } })
    expect(demand.headers).toMatchObject({ 'x-voucher': 'wanted' })
    expect(demand.headers.vary).toContain('x-voucher')
    expect((await page(w, `/pay/${link.code}`)).text).toContain('<h4>Paper voucher</h4>')
    const headers = { 'x-voucher': `${card.id} ${card.token}` }
    const paid = await w.call('GET', `/pay/${link.code}`, undefined, { headers })
    expect(paid).toMatchObject({ status: 200, body: { status: 'SETTLED', amount: 25 } })
    expect(paid.headers['x-voucher']).toBe('taken')
  } finally {
    list.pop()
  }
  expect(await w.faults()).toEqual([])
})
