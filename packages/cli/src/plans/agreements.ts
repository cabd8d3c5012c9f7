import { accountCommand, given, group } from '../command.ts'
import { type AccountOptions, connect } from '../context.ts'
import { listCommand, type Page, pageOf } from '../list.ts'
import { amountIn } from '../money.ts'
import { pairs, print } from '../output.ts'
import { table } from '../table.ts'

const ID = 'as `agreements list` shows it'

const list = listCommand({
  name: 'list',
  summary: 'list the agreements that your wallet pays or is paid by, newest first',
  example: 'npx purser agreements list --role payer',
  options: (made) => made.option('--role <side>', 'payer or merchant (else both)'),
  most: 100,
  read: (purser, { role, ...page }: Page & { role?: 'payer' | 'merchant' }) => {
    const query = { ...given({ role }), ...pageOf(page) }
    return purser.GET('/api/billing/agreements', { params: { query } })
  },
  rows: ({ agreements }) => agreements,
  columns: [
    ['AGREEMENT', (one) => one.id],
    ['STATUS', (one) => one.status],
    ['AMOUNT', (one) => amountIn(one, 'amount')],
    ['CHARGES', (one) => one.charges_made],
    ['NEXT', (one) => one.next_charge_at],
  ],
  none: 'There are no agreements yet: npx purser demo billing',
})

const show = accountCommand({
  name: 'show',
  summary: 'show an agreement and its newest charges',
  example: 'npx purser agreements show agr_01k9…',
  options: (made) => made.argument('<id>', ID),
  run: async (options, id = '') => {
    const purser = await connect(options)
    const answer = await purser.GET('/api/billing/agreements/{id}', { params: { path: { id } } })
    print(answer, options.json, ({ agreement, charges }) => {
      const shown = Object.entries(agreement).filter(([, value]) => value !== null)
      const rows = table(
        charges,
        [
          ['PERIOD', (charge) => charge.period_key],
          ['STATUS', (charge) => charge.status],
          ['AMOUNT', (charge) => amountIn(charge, 'amount', agreement.asset)],
          ['ERROR', (charge) => charge.error ?? '-'],
          ['AT', (charge) => charge.created_at],
        ],
        { none: 'Nothing was charged yet.' },
      )
      return `${pairs(Object.fromEntries(shown.map(([name, value]) => [name, String(value)])))}\n\n${rows}`
    })
  },
})

const changing = (verb: 'pause' | 'resume', summary: string) =>
  accountCommand({
    name: verb,
    summary,
    example: `npx purser agreements ${verb} agr_01k9…`,
    isRepeatable: true,
    options: (made) => made.argument('<id>', ID),
    run: async (options, id = '') => {
      const purser = await connect(options)
      const answer = await purser.POST(`/api/billing/agreements/{id}/${verb}`, {
        params: { path: { id } },
        body: null,
      })
      print(answer, options.json, ({ agreement }) => `The agreement is ${agreement.status}.`)
    },
  })

const cancel = accountCommand<AccountOptions & { atPeriodEnd?: boolean }>({
  name: 'cancel',
  summary: 'end an agreement: once this answers nothing is charged',
  example: 'npx purser agreements cancel agr_01k9… --at-period-end',
  isRepeatable: true,
  options: (made) =>
    made.argument('<id>', ID).option('--at-period-end', 'let it end with its current period'),
  run: async ({ atPeriodEnd = false, ...options }, id = '') => {
    const purser = await connect(options)
    const answer = await purser.POST('/api/billing/agreements/{id}/cancel', {
      params: { path: { id } },
      body: { at_period_end: atPeriodEnd },
    })
    print(answer, options.json, ({ agreement }) =>
      atPeriodEnd
        ? 'The agreement ends with its current period.'
        : `The agreement is ${agreement.status}.`,
    )
  },
})

export const agreementCommands = group('agreements', 'what a card pays again and again', [
  list,
  show,
  changing('pause', 'stop its charges for a time'),
  changing('resume', 'go on, from the next period'),
  cancel,
])
