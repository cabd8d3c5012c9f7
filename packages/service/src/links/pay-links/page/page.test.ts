import { readFileSync } from 'node:fs'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { USDC } from '../../../base/kernel/assets.ts'
import { amount } from '../../../base/kernel/money.ts'
import type { LinkSettlement } from '../../../money/settlements/settlement.ts'
import type { ShownException } from '../../link/arrivals/store-exceptions.ts'
import type { LinkStatus, PayLink } from '../../link/store.ts'
import type { CheckoutView } from '../pieces/view.ts'
import { renderCheckout, renderMissing } from './page.ts'
import { renderPayment } from './receipt.ts'

const asset = USDC[84532]!
const AT = new Date('2026-03-01T12:00:00Z')
const owner = privateKeyToAccount(`0x${'11'.repeat(32)}`).address
const deposit = privateKeyToAccount(`0x${'22'.repeat(32)}`).address
const link: PayLink = {
  id: 'pl_0',
  code: 'PL_0123456789',
  walletAddress: owner,
  cardId: 'card_secret_of_the_seller',
  network: asset.network,
  asset: 'USDC',
  amount: amount(1_234_500_000n),
  minAmount: null,
  allowedAgents: null,
  payersReturn: false,
  successUrl: null,
  cancelUrl: null,
  memo: 'Design review, 2 hours',
  mcc: null,
  category: null,
  linkType: 'SINGLE',
  acceptedProtocols: ['x402', 'card', 'onchain'],
  status: 'ACTIVE',
  uses: 0,
  reserved: 0,
  maxUses: 1,
  payTo: deposit,
  token: null,
  tokenDecimals: null,
  tokenType: null,
  metadata: { internal: 'note to self' },
  expiresAt: new Date('2026-03-01T14:05:00Z'),
  confirmedAt: null,
  createdAt: AT,
}
const view = (over: Partial<CheckoutView> & { link?: PayLink } = {}): CheckoutView => ({
  link,
  status: 'ACTIVE',
  url: `https://pay.example/pay/${link.code}`,
  asset,
  explorerUrl: null,
  payUri: `ethereum:${asset.contract}@84532/transfer?address=${deposit}&uint256=1234500000`,
  qrSvg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>',
  at: AT,
  ...over,
})
const settlement: LinkSettlement = {
  id: 'stl_0',
  payLinkId: link.id,
  protocol: 'onchain',
  payer: owner,
  amount: amount(1_000_000n),
  fee: amount(5_000n),
  network: asset.network,
  asset: 'USDC',
  state: 'settled',
  reason: null,
  authNonce: null,
  fromBlock: null,
  txHash: `0x${'ab'.repeat(32)}`,
  isSwept: false,
  createdAt: AT,
  settledAt: AT,
}
const exception: ShownException = {
  id: 'exc_1',
  payLinkId: link.id,
  walletAddress: owner,
  reason: 'short',
  amount: amount(400_000n),
  fee: amount(2_000n),
  payer: owner,
  txHash: `0x${'ab'.repeat(32)}`,
  logIndex: 0,
  status: 'OPEN',
  withdrawalId: null,
  refunds: 0,
  settlementMode: 'CUSTODIAL',
  token: null,
  tokenDecimals: null,
  createdAt: AT,
  resolvedAt: null,
  code: link.code,
  cardId: link.cardId,
  network: link.network,
  asset: 'USDC',
}
const paid = (over: Partial<Parameters<typeof renderPayment>[0]> = {}) =>
  renderPayment({
    link,
    url: view().url,
    asset,
    explorerUrl: 'https://explorer.example',
    isLocalChain: false,
    payment: { kind: 'settled', settlement },
    status: 'ACTIVE',
    ...over,
  })

test('the page says what for, how much, to whom, where and until when, and every way to pay', () => {
  const page = renderCheckout(view())
  for (const text of [
    'Design review, 2 hours',
    '1,234.50',
    'Base Sepolia · test network',
    'in 2 hours 5 minutes',
    '1 Mar 2026, 14:05 UTC',
    `${owner.slice(0, 6)}…${owner.slice(-4)}`,
    'Pay with a browser wallet',
    'Pay from a wallet app',
    'Pay with a Purser card',
    'For programs and agents',
    deposit,
    'uint256=1234500000',
    'name="tx_hash"',
    'name="payer_card_token"',
    "curl -i 'https://pay.example/pay/PL_0123456789'",
  ])
    expect(page).toContain(text)
  expect(page).not.toContain('card_secret_of_the_seller')
  expect(page).not.toContain('note to self')
})

test('a page offers only the ways that the link takes', () => {
  const only = (acceptedProtocols: PayLink['acceptedProtocols']) =>
    renderCheckout(
      view({
        link: { ...link, acceptedProtocols },
        payUri: acceptedProtocols.includes('onchain') ? view().payUri : null,
      }),
    )
  expect(only(['card'])).not.toMatch(/browser wallet|wallet app|x402/)
  expect(only(['x402'])).not.toMatch(/Pay from a wallet app|Purser card/)
  expect(only(['onchain'])).not.toMatch(/browser wallet|Purser card|curl -i|MPP/)
  expect(only(['mpp'])).toMatch(
    /WWW-Authenticate: Payment.*'https:\/\/pay.example\/api\/mpp\/agentcard'/s,
  )
  expect(only(['mpp'])).not.toMatch(/browser wallet|wallet app|x402/)
})

test.each([
  ['EXPIRED', 'This link has expired'],
  ['CANCELLED', 'This link was cancelled'],
  ['COMPLETED', 'This link was settled'],
] as [LinkStatus, string][])(
  'a link that is %s says so, and what to do, and takes no payment',
  (status, text) => {
    const page = renderCheckout(view({ status }))
    expect(page).toContain(text)
    expect(page).toContain(`data-state="${status}"`)
    expect(page).not.toMatch(/payer_card_token|Open in a wallet app|data-wallets/)
  },
)

test('on a link without an amount the payer names it first', () => {
  const open = { ...link, amount: null }
  const first = renderCheckout(view({ link: open }))
  expect(first).toContain('name="amount"')
  expect(first).not.toMatch(/name="(tx_hash|payer_card_token)"|data-wallets/)
  const then = renderCheckout(view({ link: open, chosen: amount(2_500_000n) }))
  expect(then).toContain('Pay 2.50 USDC')
  expect(then).toContain('<input type="hidden" name="amount" value="2.5">')
})

test('a refusal is shown with what was entered, save the card token', () => {
  const page = renderCheckout(
    view({
      refusal: {
        message: 'The card is frozen.',
        form: 'card',
        values: { payer_card_id: 'card_1' },
      },
    }),
  )
  expect(page).toContain('role="alert"')
  expect(page).toContain('The card is frozen.')
  expect(page).toContain('value="card_1"')
})

const ATTACKS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' autofocus onfocus='alert(1)",
  '</title><svg onload=alert(1)>',
  '&lt;script&gt; &amp; &#x3c;',
]
test.each(ATTACKS)('nothing that a person wrote becomes markup: %s', (attack) => {
  const hostile = {
    ...link,
    memo: attack,
    walletAddress: attack,
    payTo: attack as `0x${string}`,
    code: attack,
    asset: attack,
  }
  const values = { payer_card_id: attack, tx_hash: attack, from_address: attack, amount: attack }
  const named = { ...seller, name: attack }
  const pages = [
    renderCheckout(view({ link: hostile, seller: named })),
    renderCheckout(view({ link: hostile, status: 'EXPIRED', seller: named })),
    paid({ link: hostile, seller: named }),
    ...(['card', 'onchain', 'amount'] as const).map((form) =>
      renderCheckout(
        view({ link: hostile, payUri: attack, refusal: { message: attack, form, values } }),
      ),
    ),
    renderCheckout(
      view({
        link: { ...hostile, amount: null },
        refusal: { message: attack, form: 'amount', values },
      }),
    ),
    renderCheckout(view({ link: hostile, status: 'EXPIRED' })),
    paid({
      link: hostile,
      explorerUrl: `https://e.example/${attack}`,
      payment: {
        kind: 'settled',
        settlement: {
          ...settlement,
          id: attack as 'stl_0',
          payer: attack,
          txHash: attack as `0x${string}`,
        },
      },
    }),
    paid({ link: hostile, payment: { kind: 'failed', message: attack } }),
    paid({
      link: hostile,
      payment: {
        kind: 'exception',
        exception: { ...exception, id: attack as 'exc_1', payer: attack, txHash: attack },
      },
    }),
    paid({ link: hostile, payment: { kind: 'pending', txHash: attack as '0x', isMined: true } }),
  ]
  for (const page of pages) {
    expect(page).not.toContain(attack)
    expect(page).not.toMatch(/<img(?! class="logo" src="\/logos\/)|<svg onload|<script>/)
    expect(tagsOf(page).filter((tag) => /\son\w+\s*=/i.test(tag))).toEqual([])
  }
})

/** The tags of a page with the values of their attributes taken out: what is left names the attributes. */
const tagsOf = (page: string): string[] =>
  (page.match(/<[a-z][^>]*>/gi) ?? []).map((tag) => tag.replace(/"[^"]*"/g, '""'))

test('the page asks nobody else for anything and carries no inline script or style', () => {
  for (const page of [renderCheckout(view()), renderMissing(), paid()]) {
    const loaded = [...page.matchAll(/<(?:script|link|img|iframe)[^>]*?(?:src|href)="([^"]*)"/g)]
    for (const [, url] of loaded) expect(url).toMatch(/^(\/assets\/|\/favicon\.svg$)/)
    expect(page).not.toMatch(/<style|\sstyle=|<script(?![^>]*\ssrc=)/)
  }
})

const seller = {
  name: 'Tea & Co',
  supportUrl: 'https://tea.example/help',
  accent: '#d6336c',
  logoHash: 'ab'.repeat(32),
}

test('a seller that has said who it is stands at the head, beside its wallet, in its color', () => {
  for (const page of [renderCheckout(view({ seller })), paid({ seller })]) {
    expect(page).toContain(`<img class="logo" src="/logos/${seller.logoHash}" alt="">`)
    expect(page).toContain('<bdi>Tea &amp; Co</bdi>')
    expect(page).toContain(`${owner.slice(0, 6)}…${owner.slice(-4)}`)
    expect(page).toContain('<link rel="stylesheet" href="/accents/d6336c">')
  }
})

test('a link that takes no payment says how to reach the seller', () => {
  for (const status of ['EXPIRED', 'CANCELLED', 'COMPLETED'] as const) {
    expect(renderCheckout(view({ status, seller }))).toMatch(
      /<a class="secondary" href="https:\/\/tea.example\/help" rel="noreferrer"><span>Ask <bdi>Tea &amp; Co<\/bdi> \(tea.example\)/,
    )
    const mail = { ...seller, supportUrl: 'mailto:help@tea.example' }
    expect(renderCheckout(view({ status, seller: mail }))).toContain('(help@tea.example)')
    expect(renderCheckout(view({ status }))).toContain(`data-copy="${owner}"`)
  }
  expect(renderCheckout(view({ isGateClosed: true, seller }))).toContain('tea.example/help')
})

test('a page leads back to the shop, and a receipt with the id of its payment', () => {
  const shop = {
    ...link,
    cancelUrl: 'https://shop.example/basket?a=1&b=2',
    successUrl: 'https://shop.example/done?id={PAYMENT_ID}&again=%7BPAYMENT_ID%7D',
  }
  for (const status of ['ACTIVE', 'EXPIRED', 'CANCELLED'] as const)
    expect(renderCheckout(view({ link: shop, status }))).toContain(
      'href="https://shop.example/basket?a=1&amp;b=2" rel="noreferrer">Back to shop.example</a>',
    )
  expect(renderCheckout(view({ link: shop, status: 'COMPLETED' }))).not.toContain('Back to')
  const receipt = paid({ link: shop })
  expect(receipt).toContain('data-return="https://shop.example/done?id=stl_0&amp;again=stl_0"')
  // A host of letters that look like others is shown as machines write it.
  const other = { ...link, cancelUrl: 'https://аpple.com/' }
  expect(renderCheckout(view({ link: other }))).toContain('Back to xn--pple-43d.com')
})

test('paths follow a service that stands below a folder', () => {
  const page = renderCheckout(view({ url: `https://example.com/purser/pay/${link.code}` }))
  expect(page).toContain('href="/purser/assets/checkout.css"')
  expect(page).toContain(`action="/purser/pay/${link.code}/paid"`)
})

test('a payment is shown as it stands: on its way, settled, not fitting, not made', () => {
  const waiting = paid({ payment: { kind: 'pending', txHash: settlement.txHash, isMined: false } })
  expect(waiting).toContain('<noscript><meta http-equiv="refresh" content="3"></noscript>')
  const receipt = paid()
  expect(receipt).toContain('stl_0')
  expect(receipt).toContain(`https://explorer.example/tx/${settlement.txHash}`)
  expect(receipt).not.toContain('http-equiv')
  expect(paid({ payment: { kind: 'unknown' } })).toContain('No such receipt')
  expect(paid({ payment: { kind: 'failed', message: 'It was undone.' } })).toContain(
    'It was undone.',
  )
})

test('a payment that fits no link is shown with its very reason, and what the seller has done since', () => {
  const shown = (over: object) =>
    paid({ payment: { kind: 'exception', exception: { ...exception, ...over } } })
  expect(shown({})).toContain('exc_1')
  for (const [reason, words] of [
    ['late', 'it came after the link had expired'],
    ['short', 'it is less than the link asks for'],
    ['cancelled', 'the seller had cancelled the link before'],
    ['completed', 'the link had been paid already'],
  ])
    expect(shown({ reason })).toContain(words)
  expect(shown({ status: 'KEPT' })).toContain('has kept it')
  expect(shown({ status: 'REFUNDED' })).toContain('sending it back')
  const over = { ...exception, reason: 'over' as const }
  expect(paid({ payment: { kind: 'settled', settlement, over } })).toContain('0.40 USDC')
})

test.each(['card', 'ap2', 'mpp', 'x402'] as const)(
  'a receipt shows no more than the end of a card that paid by %s',
  (protocol) => {
    const payer = 'card_01k9aaaaaaaaaaaaaaaaaawxyz'
    const page = paid({
      payment: { kind: 'settled', settlement: { ...settlement, payer, protocol } },
    })
    expect(page).toContain('card …wxyz')
    expect(page).not.toContain(payer)
  },
)

/** Relative luminance of a colour as WCAG 2 defines it. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(hex.slice(start, start + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (a: string, b: string): number => {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

test('text has a contrast of 4.5 and borders of fields 3, by day and by night', () => {
  const css = readFileSync(new URL('../../../../../web/design/tokens.css', import.meta.url), 'utf8')
  const tokens = [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name = '', ...pair]) => [name, pair] as const,
  )
  const palettes = [0, 1].map((i) => new Map(tokens.map(([name, pair]) => [name, pair[i]!])))
  const texts: [string, string[]][] = [
    ['text', ['ground', 'panel', 'raised', 'wash', 'warn-wash', 'bad-wash']],
    ['soft', ['ground', 'panel', 'wash']],
    ['accent', ['ground', 'panel', 'wash']],
    ['on-accent', ['accent']],
    ['good', ['ground', 'panel', 'wash']],
    ['bad', ['ground', 'panel', 'bad-wash']],
    ['warn', ['ground', 'panel', 'warn-wash']],
  ]
  for (const palette of palettes) {
    const between = (a: string, b: string) => contrast(palette.get(a)!, palette.get(b)!)
    for (const [text, grounds] of texts)
      for (const ground of grounds)
        expect(between(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    for (const ground of ['ground', 'panel'])
      expect(between('edge', ground)).toBeGreaterThanOrEqual(3)
  }
})
