import { accountCommand, given, group, wholeNumber } from '../command.ts'
import { type AccountOptions, connect } from '../context.ts'
import { listCommand, type Page, pageOf } from '../list.ts'
import { amountIn } from '../money.ts'
import { pairs, print } from '../output.ts'

const list = listCommand({
  name: 'list',
  summary: 'list your pay links, newest first',
  example: 'npx purser links list',
  options: (made) => made.option('--qr', 'with --json: the QR code of each as SVG, too'),
  most: 1000,
  read: async (purser, { qr, ...page }: Page & { qr?: boolean }) => {
    const answer = await purser.GET('/api/paylinks', { params: { query: pageOf(page) } })
    return qr ? answer : { ...answer, links: answer.links.map(({ qr_svg: _, ...link }) => link) }
  },
  rows: ({ links }) => links,
  columns: [
    ['CODE', (link) => link.code],
    ['AMOUNT', (link) => (link.amount === null ? 'any' : amountIn(link, 'amount'))],
    ['STATUS', (link) => link.status],
    ['USES', (link) => `${link.uses}/${link.max_uses === 0 ? 'any' : link.max_uses}`],
    ['MEMO', (link) => link.memo],
    ['URL', (link) => link.url],
  ],
  none: 'There are no pay links yet: npx purser links create --help',
})

type CreateOptions = AccountOptions & {
  card: string
  amount?: string
  minAmount?: string
  memo?: string
  maxUses?: number
  expiresIn?: number
  successUrl?: string
  cancelUrl?: string
  idempotencyKey?: string
}
const create = accountCommand<CreateOptions>({
  name: 'create',
  summary: 'open a pay link that pays into a card',
  names: { card_id: '--card' },
  example: 'npx purser links create --card card_01k9… --amount 2.50 --memo "Invoice 42"',
  options: (made) =>
    made
      .requiredOption('--card <id>', 'the card that is credited')
      .option('--amount <amount>', 'in USDC; without it the payer chooses')
      .option('--min-amount <amount>', 'the least that the payer may choose')
      .option('--memo <text>', 'what it is for')
      .option('--max-uses <n>', 'how often it may be paid; 0 = any', wholeNumber)
      .option('--expires-in <hours>', '0 = never', wholeNumber)
      .option('--success-url <url>', 'where payers are led; {PAYMENT_ID} becomes the id')
      .option('--cancel-url <url>', 'where payers may go back to')
      .option('--idempotency-key <key>', 'repeat with the same key to get the same link'),
  run: async ({
    card,
    amount,
    minAmount,
    memo,
    maxUses,
    expiresIn,
    successUrl,
    cancelUrl,
    idempotencyKey,
    ...options
  }) => {
    const purser = await connect(options)
    const order = {
      card_id: card,
      ...given({ amount, min_amount: minAmount, memo, max_uses: maxUses, expires_in: expiresIn }),
      ...given({ success_url: successUrl, cancel_url: cancelUrl }),
    }
    const link = await purser.createPayLink(order, given({ idempotencyKey }))
    print({ success: true, pay_link: link }, options.json, () => showLink(link))
  },
})

type Shown = {
  code: string
  url: string
  amount: string | null
  min_amount?: string
  asset: string
  status: string
  memo: string
  uses: number
  max_uses: number
  expires_at: string | null
}
const chosenBy = ({ min_amount: least, asset }: Shown): string =>
  least === undefined ? 'the payer chooses' : `the payer chooses, ${least} ${asset} or more`

const showLink = (link: Shown): string =>
  pairs({
    Link: link.url,
    Code: link.code,
    Amount: link.amount === null ? chosenBy(link) : `${link.amount} ${link.asset}`,
    Status: link.status,
    Uses: `${link.uses} of ${link.max_uses === 0 ? 'any' : link.max_uses}`,
    Memo: link.memo,
    Expires: link.expires_at ?? 'never',
  })

const get = accountCommand({
  name: 'get',
  summary: 'show a pay link',
  example: 'npx purser links get PL_7K3M9Q2XHD',
  options: (made) => made.argument('<code>', 'the code of the link'),
  run: async (options, code = '') => {
    const purser = await connect(options)
    const answer = await purser.GET('/api/paylinks/{code}', { params: { path: { code } } })
    print(answer, options.json, showLink)
  },
})

const cancel = accountCommand({
  name: 'cancel',
  summary: 'close a pay link; nobody can pay it any more',
  example: 'npx purser links cancel PL_7K3M9Q2XHD',
  isRepeatable: true,
  options: (made) => made.argument('<code>', 'the code of the link'),
  run: async (options, code = '') => {
    const purser = await connect(options)
    const answer = await purser.DELETE('/api/paylinks/{code}', { params: { path: { code } } })
    print(answer, options.json, () => `Pay link ${code} is cancelled.`)
  },
})

export const linkCommands = group('links', 'get paid by pay links', [list, create, get, cancel])
