import { accountCommand, group, wholeNumber } from '../command.ts'
import { connect } from '../context.ts'
import { listCommand } from '../list.ts'
import { amountIn, decimal } from '../money.ts'
import { pairs, print } from '../output.ts'

type Tier = 'starter' | 'growth'
type Period = 'month' | 'year'

const show = accountCommand({
  name: 'show',
  summary: 'your membership and its auto-renew',
  example: 'npx purser membership',
  run: async (options) => {
    const purser = await connect(options)
    print(await purser.GET('/api/membership'), options.json, ({ membership, auto_renew }) =>
      membership || auto_renew
        ? pairs({
            ...(membership && {
              tier: `${membership.tier}, by the ${membership.billing_period}`,
              status: membership.status,
              until: membership.current_period_end,
              'ends then': membership.cancel_at_period_end ? 'yes' : 'no',
            }),
            'auto-renew': auto_renew
              ? `${auto_renew.mode}, ${auto_renew.periods_funded} periods reserved`
              : 'none',
          })
        : 'You have no membership.',
    )
  },
})

const plans = listCommand({
  name: 'plans',
  summary: 'the tiers, and what they cost',
  example: 'npx purser membership plans',
  read: (purser) => purser.GET('/api/membership/plans'),
  rows: (sold) => sold.plans,
  columns: [
    ['TIER', (plan) => plan.tier],
    ['PERIOD', (plan) => plan.billing_period],
    ['PRICE', (plan) => amountIn(plan, 'price')],
    ['DIRECT QUOTA', (plan) => plan.direct_quota],
    ['EACH ABOVE', (plan) => amountIn(plan, 'overage_fee', 'USDC')],
  ],
  none: 'No plan is sold.',
})

const subscribe = accountCommand({
  name: 'subscribe',
  summary: 'pay a period out of the treasury balance',
  names: { billing_period: '<period>' },
  example: 'npx purser membership subscribe starter month',
  isRepeatable: true,
  options: (made) =>
    made.argument('<tier>', 'starter or growth').argument('<period>', 'month or year'),
  run: async (options, tier = '', period = '') => {
    const purser = await connect(options)
    const body = { tier: tier as Tier, billing_period: period as Period }
    print(
      await purser.POST('/api/membership/subscribe', { body }),
      options.json,
      ({ membership }) =>
        `${membership.tier} is ${membership.status} until ${membership.current_period_end}.`,
    )
  },
})

const change = (verb: 'cancel' | 'resume', summary: string) =>
  accountCommand({
    name: verb,
    summary,
    example: `npx purser membership ${verb}`,
    isRepeatable: true,
    run: async (options) => {
      const purser = await connect(options)
      print(
        await purser.POST(`/api/membership/${verb}`),
        options.json,
        ({ membership }) =>
          `It ${membership.cancel_at_period_end ? 'ends' : 'goes on'} on ${membership.current_period_end}.`,
      )
    },
  })

const autoRenew = accountCommand<{ json?: boolean; wallet?: boolean; periods?: number }>({
  name: 'auto-renew',
  summary: 'have it renewed: from a reserve, by your allowance on chain, or by the balance then',
  names: { mode: '--wallet' },
  example: 'npx purser membership auto-renew --periods 3',
  isRepeatable: true,
  options: (made) =>
    made
      .option('--periods <n>', 'periods to set money aside for', wholeNumber)
      .option('--wallet', 'by the allowance of your wallet on chain'),
  run: async (options) => {
    const purser = await connect(options)
    const { wallet, periods } = options
    const body = {
      ...(wallet && { mode: 'wallet' as const }),
      ...(periods !== undefined && { periods }),
    }
    print(await purser.POST('/api/membership/auto-renew', { body }), options.json, (made) =>
      made.soft
        ? 'Your balance pays when the period ends, if it covers the price then.'
        : `${made.already_enrolled ? 'Enrolled already' : 'Enrolled'}: ${made.mode}${made.reserve === undefined ? '' : `, ${decimal(made.reserve)} reserved for ${made.periods_funded} periods`}.`,
    )
  },
})

const end = accountCommand({
  name: 'end-auto-renew',
  summary: 'end auto-renew; the reserve returns to the balance',
  example: 'npx purser membership end-auto-renew',
  isRepeatable: true,
  run: async (options) => {
    const purser = await connect(options)
    print(
      await purser.DELETE('/api/membership/auto-renew'),
      options.json,
      ({ returned }) => `Ended; ${decimal(returned)} returned to your balance.`,
    )
  },
})

export const membershipCommands = group('membership', 'your membership and its auto-renew', [
  plans,
  subscribe,
  autoRenew,
  end,
  change('cancel', 'end it with its current period'),
  change('resume', 'undo a cancel while still in the period'),
])
membershipCommands.addCommand(show, { isDefault: true })
