import type { CardCredential, PayOrder, PayOutcome } from '@purser/sdk'
import { accountCommand } from '../command.ts'
import { type AccountOptions, connect, readSecretFile } from '../context.ts'
import { Fault } from '../fault.ts'
import { pairs, print, printable } from '../output.ts'
import { given } from './cards.ts'

type PayOptions = AccountOptions & {
  card?: string
  cardFile?: string
  method?: string
  data?: string
  header?: string[]
  maxAmount?: string
  simulate?: boolean
  idempotencyKey?: string
}

/** Nobody knows yet whether the money moved: neither success nor failure. */
const UNKNOWN_EXIT = 3

export const payCommand = accountCommand<PayOptions>({
  name: 'pay',
  summary: 'fetch a URL, and pay for it with a card if it asks for money',
  example: 'npx purser pay https://api.example.com/report --card-file card.json --method GET',
  options: (made) =>
    made
      .argument('<url>', 'what to fetch')
      .option('--card-file <file>', 'a 0600 file, as `cards issue --save` writes it')
      .option('--card <id>', 'the card; its token is read from PURSER_CARD_TOKEN')
      .option('--method <method>', 'POST without it')
      .option('--data <body>', 'the body to send')
      .option('--header <header...>', 'a header to send, as "Name: value"')
      .option('--max-amount <amount>', 'the most that may leave the card, in USDC')
      .option('--simulate', 'say what would happen; nothing moves')
      .option('--idempotency-key <key>', 'repeat with the same key and nothing is paid twice')
      .addHelpText('after', '\nExits with 3 where the outcome of a payment is not known yet.'),
  run: async ({ idempotencyKey, ...options }, url = '') => {
    const card = await readCard(options)
    const purser = await connect(options)
    const order: PayOrder = {
      url,
      ...given({
        method: options.method?.toUpperCase() as PayOrder['method'],
        body: options.data,
        headers: options.header && Object.fromEntries(options.header.map(readHeader)),
        max_amount: options.maxAmount,
      }),
    }
    if (options.simulate) {
      const body = { ...order, card_id: card.id, card_token: card.token }
      const answer = await purser.POST('/api/pay/simulate', { body })
      print(answer, options.json, (it) => JSON.stringify(it, null, 2))
      return 0
    }
    const outcome = await purser.pay(card, order, given({ idempotencyKey }))
    print(outcome, options.json, showOutcome)
    if (outcome.outcome === 'paid') return 0
    console.error(
      `The outcome of ${outcome.transaction_id} is not known yet and its money is held; do not pay again.`,
    )
    return UNKNOWN_EXIT
  },
})

function showOutcome(outcome: PayOutcome): string {
  const { response } = outcome
  const lines = pairs({
    Paid: `${outcome.amount_debited} ${outcome.token}, of it ${outcome.platform_fee} fee`,
    Transaction: outcome.transaction_id,
    Settlement: outcome.settlement?.status,
    'On chain': outcome.settlement?.tx_hash,
    Answer: response ? `HTTP ${response.status}` : undefined,
  })
  if (!response || response.body === undefined || response.body === null) return lines
  const { body } = response
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2)
  return `${lines}\n\n${printable(text)}`
}

/** The card that pays. Its token is a secret, so no option takes it. */
async function readCard({ card, cardFile }: PayOptions): Promise<CardCredential> {
  if (cardFile) {
    const line = await readSecretFile(cardFile)
    const read = parseCard(line)
    if (read) return read
    throw new Fault(`${cardFile} does not hold a card; \`cards issue --save\` writes such files.`)
  }
  const token = process.env.PURSER_CARD_TOKEN
  if (card && token) return { id: card, token: token.trim() }
  throw new Fault(
    'No card is given: name its file with --card-file, or its id with --card and set PURSER_CARD_TOKEN.',
  )
}

function parseCard(text: string): CardCredential | undefined {
  try {
    const { id, token } = JSON.parse(text) as Partial<CardCredential>
    return typeof id === 'string' && typeof token === 'string' ? { id, token } : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function readHeader(text: string): [string, string] {
  const at = text.indexOf(':')
  if (at < 1) throw new Fault(`"${printable(text)}" is not a header: write "Name: value".`)
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}
