import {
  type CardCredential,
  type PayOrder,
  type PayOutcome,
  type Purser,
  PurserError,
} from '@purser/sdk'
import { accountCommand, given } from '../command.ts'
import { type AccountOptions, connect } from '../context.ts'
import { Fault } from '../fault.ts'
import { amountIn, decimal } from '../money.ts'
import { pairs, print, printable } from '../output.ts'
import { type CardOptions, readCard } from './card-file.ts'

type PayOptions = AccountOptions &
  CardOptions & {
    method?: string
    data?: string
    header?: string[]
    maxAmount?: string
    simulate?: boolean
    idempotencyKey?: string
    approval?: string
  }

/**
 * 3: it is not known yet whether the money moves. 4: the money was taken, but the seller did not serve. 5: the payment waits for
 * the owner of the card.
 */
const EXITS = {
  paid: 0,
  free: 0,
  not_charged: 1,
  unknown: 3,
  seller_failed: 4,
  approval_required: 5,
} as const
const EXITS_HELP = `
Exits with 0 only if something was served: paid for or not. Otherwise with 1 where nothing was
taken, 3 where the outcome of the payment is not known yet, 4 where the money was taken and the
seller failed, 5 where the owner of the card has to approve the payment first.`

export const payCommand = accountCommand<PayOptions>({
  name: 'pay',
  summary: 'fetch a URL, and pay for it with a card if it asks for money',
  names: {
    ...{ body: '--data', headers: '--header', approval_id: '--approval' },
    ...{ card_id: '--card', card_token: '--card-file' },
  },
  example: 'npx purser pay https://api.example.com/report --card-file card.json',
  options: (made) =>
    made
      .argument('<url>', 'what to fetch')
      .option('--card-file <file>', 'a 0600 file, as `cards issue --save` writes it')
      .option('--card <id>', 'the card; its token is read from PURSER_CARD_TOKEN')
      .option(
        '--method <method>',
        'GET without it, POST where --data is given; POST /api/pay is POST without it',
      )
      .option(
        '--data <body>',
        'the body to send; JSON goes out as JSON, unless --header names a type',
      )
      .option('--header <header...>', 'a header to send, as "Name: value"')
      .option('--max-amount <amount>', 'the most that may leave the card, in USDC')
      .option('--simulate', 'say what would happen; nothing moves')
      .option('--idempotency-key <key>', 'repeat with the same key and nothing is paid twice')
      .option('--approval <id>', 'the approval that lets this payment pass')
      .addHelpText('after', EXITS_HELP),
  run: async ({ idempotencyKey, ...options }, url = '') => {
    const card = await readCard(options)
    const purser = await connect(options)
    const order: PayOrder = {
      url,
      method: readMethod(options),
      ...given({
        body: options.data,
        headers: options.header && Object.fromEntries(options.header.map(readHeader)),
        max_amount: options.maxAmount,
        approval_id: options.approval,
      }),
    }
    try {
      if (options.simulate) return await simulate(purser, { card, order, json: options.json })
      const outcome = await purser.pay(card, order, given({ idempotencyKey }))
      print(outcome, options.json, showOutcome)
      if (outcome.outcome !== 'paid') console.error(noteOf(outcome))
      const mayBeUnpaid = outcome.outcome === 'unknown' || outcome.outcome === 'not_charged'
      return mayBeUnpaid && isServed(outcome) ? 0 : EXITS[outcome.outcome]
    } catch (error) {
      for (const line of refusedOffers(error)) console.error(line)
      throw error
    }
  },
})

type Asked = { card: CardCredential; order: PayOrder; json: boolean | undefined }

/** Prints what `pay` would do. Exit code 1 if the card would not pay. */
async function simulate(purser: Purser, { card, order, json }: Asked): Promise<number> {
  const body = { ...order, card_id: card.id, card_token: card.token }
  const answer = await purser.POST('/api/pay/simulate', { body })
  print(answer, json, ({ allowed, rule, message, amount, platform_fee, protocol, passes_at }) => {
    if (rule === 'no_payment_needed') return message
    const price = `${decimal(amount)} USDC by ${protocol}, of it ${decimal(platform_fee)} fee`
    if (allowed) return `The card would pay ${price}. Nothing was paid.`
    const later = passes_at ? ` It would pass at ${passes_at}.` : ''
    return printable(`The card would not pay ${price}: ${message} (${rule})${later}`)
  })
  return answer.allowed ? 0 : 1
}

/** Why each way to pay that the seller offers was refused. */
function refusedOffers(error: unknown): string[] {
  if (!(error instanceof PurserError) || error.code !== 'no_payable_option') return []
  const { offers } = (error.body.challenge ?? {}) as { offers?: unknown }
  if (!Array.isArray(offers)) return []
  return offers.map(({ protocol, reason, detail }) =>
    printable(`- ${protocol}: ${detail ?? reason} (${reason})`),
  )
}

const isServed = ({ response }: PayOutcome): boolean =>
  response !== null && response !== undefined && response.status >= 200 && response.status < 300

/** The message for an outcome other than a payment. */
function noteOf(outcome: PayOutcome): string {
  switch (outcome.outcome) {
    case 'free':
      return 'Nothing was paid: the URL asked for no payment.'
    case 'not_charged':
      return `Nothing was paid. ${printable(outcome.reason)}`
    case 'approval_required':
      return `Nothing was paid. ${printable(outcome.reason)} The owner: npx purser approvals approve ${outcome.approval_id}`
    case 'seller_failed':
      return `The money was taken and the seller did not serve. ${againOf(outcome)} If it goes on failing, take it up with the seller, with the transaction ${outcome.transaction_id}.`
    default:
      return `The outcome of ${outcome.transaction_id} is not known yet and its money is held; do not pay again. ${againOf(outcome)}`
  }
}

const againOf = ({ idempotency_key: key }: { idempotency_key: string }): string =>
  `The same command with --idempotency-key ${printable(key)} shows the seller the same payment, and takes nothing more.`

const readMethod = ({ method, data }: PayOptions) =>
  (method?.toUpperCase() ?? (data === undefined ? 'GET' : 'POST')) as NonNullable<
    PayOrder['method']
  >

const LABELS = {
  paid: 'Paid',
  free: 'Free',
  not_charged: 'Not charged',
  seller_failed: 'Taken',
  unknown: 'Held',
  approval_required: 'Waits',
} as const

function showOutcome(outcome: PayOutcome): string {
  const { response } = outcome
  const label = LABELS[outcome.outcome]
  if (outcome.outcome === 'approval_required')
    return pairs({
      [label]: outcome.reason,
      Approval: outcome.approval_id,
      Page: outcome.approve_url,
      Until: outcome.expires_at,
    })
  const lines =
    outcome.outcome === 'not_charged'
      ? pairs({ [label]: outcome.reason, Transaction: outcome.transaction_id ?? undefined })
      : pairs({
          [label]: `${amountIn(outcome, 'amount_debited')}, of it ${amountIn(outcome, 'platform_fee')} fee`,
          Transaction: outcome.transaction_id ?? undefined,
          Settlement: outcome.settlement?.status,
          'On chain': outcome.settlement?.tx_hash,
          Answer: response ? `HTTP ${response.status}` : undefined,
        })
  if (!response || response.body === undefined || response.body === null) return lines
  const { body } = response
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2)
  return `${lines}\n\n${printable(text)}`
}

function readHeader(text: string): [string, string] {
  const at = text.indexOf(':')
  if (at < 1) throw new Fault(`--header must be "Name: value", and "${printable(text)}" is not.`)
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}
