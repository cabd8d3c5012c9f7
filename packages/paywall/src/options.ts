import { type Client, unknownName } from '@purser/sdk'

/** A Purser service, as `createPurser` of `@purser/sdk` makes it. */
export type Service = Pick<Client, 'POST'>

/** A price in whole units of the service's asset, e.g. `'0.01'`. With `upTo` it is the most, and the handler says how much. */
export type Price = string | number | { upTo: string | number }

/** The head of an answer. */
export type AnswerHead = { status: number; headers: Headers }

type Awaitable<T> = T | Promise<T>

export type PaywallOptions = {
  /**
   * The price of a request, or a function that says it for each. A function may refuse the request with a `Response`, and 0 is
   * free.
   */
  price: Price | ((request: Request) => Awaitable<Price | Response>)
  /** The thing that is sold, in words. */
  describe?: string
  /**
   * `after` (default): the handler runs, then the money is taken, then the answer is given. `before`: the money is taken first;
   * a request whose handler fails may be repeated with the same payment.
   */
  settle?: 'after' | 'before'
  /** Refuses a request before anybody pays for it. An empty request is asked to pay first. */
  check?: (request: Request) => Awaitable<Response | undefined>
  /** Whether an answer is charged. By default those with status 200 to 299 are. */
  charge?: (answer: AnswerHead) => boolean
  /** How the bazaar shows the route once it was paid; false keeps it out. */
  discovery?: false | Discovery
  /** The origin that payers see, e.g. `https://api.example.com`, if a proxy changes it. */
  publicUrl?: string
  /** The card that receives what cards of the service pay; by default the newest that can. */
  card?: string
  /** The largest body of a request, in bytes; 1 MiB by default. */
  maxBodyBytes?: number
  /** How long a handler may take until another attempt with the same payment may be served; 120 by default. */
  handlerSeconds?: number
  /** How long the service may take for an answer; 30,000 by default. */
  serviceMs?: number
  /** Used instead of the global `fetch`. */
  fetch?: (request: Request, init?: RequestInit) => Promise<Response>
  /** Hears of what a payer cannot mend: the service is out of reach, the price cannot be paid in any way. */
  onError?: (error: unknown) => void
}

export type Discovery = {
  /** An example of the input: `queryParams`, or `body` with `bodyType`. */
  input?: Record<string, unknown>
  /** An example of the output. */
  output?: unknown
  /** JSON Schema of input and output. */
  schema?: Record<string, unknown>
  /** At most 32 printable ASCII characters. */
  serviceName?: string
  tags?: string[]
  iconUrl?: string
  mimeType?: string
  /** A path with `:names` in place of the parts that vary. */
  routeTemplate?: string
}

/** The largest body of a request, in bytes, unless the options say another. */
export const BODY_MAX = 1024 * 1024

/** A mistake in how the paywall is set up, or a price that cannot be asked for. */
export class PaywallError extends Error {
  override readonly name = 'PaywallError'
  /** Stable: branch on this. */
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const SECONDS = { least: 5, most: 3_600, usual: 120 }

/** A claim may end unserved with its process: the same payment is then good for this much longer. */
const AGAIN_SECONDS = 60

/** How long a payment is good from its offer on, at least. */
export const paymentSeconds = ({ handlerSeconds = SECONDS.usual }: PaywallOptions): number =>
  handlerSeconds + AGAIN_SECONDS

const NAMES: Record<keyof PaywallOptions, true> = {
  price: true,
  describe: true,
  settle: true,
  check: true,
  charge: true,
  discovery: true,
  publicUrl: true,
  card: true,
  maxBodyBytes: true,
  handlerSeconds: true,
  serviceMs: true,
  fetch: true,
  onError: true,
}
const DISCOVERY_NAMES: Record<keyof Discovery, true> = {
  input: true,
  output: true,
  schema: true,
  serviceName: true,
  tags: true,
  iconUrl: true,
  mimeType: true,
  routeTemplate: true,
}

/** An option under another name would be dropped, and its limit with it. */
function checkNames(given: unknown, names: object, of: string): void {
  const unknown = unknownName(given, { of, names: Object.keys(names), kind: 'an option' })
  if (unknown) throw new PaywallError('invalid_option', unknown.sentence)
}

/** Throws for options that can never work, when the route is made and not when somebody pays. */
export function checkOptions(options: PaywallOptions): void {
  checkNames(options, NAMES, 'paywall')
  checkNames(options.discovery || {}, DISCOVERY_NAMES, 'discovery')
  const { price, settle, handlerSeconds, publicUrl } = options
  if (typeof price !== 'function') checkPrice(price)
  if (settle !== undefined && settle !== 'after' && settle !== 'before')
    throw new PaywallError('invalid_option', "settle must be 'after' or 'before'.")
  if (settle === 'before' && typeof price === 'object')
    throw new PaywallError(
      'invalid_option',
      'A price by use is settled after the handler, which says how much was used.',
    )
  if (handlerSeconds !== undefined) {
    const isIn = handlerSeconds >= SECONDS.least && handlerSeconds <= SECONDS.most
    if (!Number.isInteger(handlerSeconds) || !isIn)
      throw new PaywallError('invalid_option', 'handlerSeconds must be 5 to 3,600.')
  }
  if (publicUrl !== undefined && !/^https?:$/.test(URL.parse(publicUrl)?.protocol ?? ''))
    throw new PaywallError('invalid_option', 'publicUrl must be the origin that payers see.')
}

/** Throws for a price that is no amount. */
export function checkPrice(price: Price): void {
  if (typeof price === 'object') checkNames(price, { upTo: true }, 'price')
  digitsOf(typeof price === 'object' ? price.upTo : price)
}

const AMOUNT = /^\$?(\d{1,20})(?:\.(\d{1,18}))?$/

function digitsOf(price: string | number): { whole: string; part: string } {
  const [, whole, part = ''] = AMOUNT.exec(String(price)) ?? []
  if (whole === undefined)
    throw new PaywallError(
      'invalid_price',
      "A price is an amount in decimal, such as '0.01', or { upTo: '0.05' }.",
    )
  return { whole, part }
}

/** The amount in base units. Throws for more digits than the asset has. */
export function atomic(price: string | number, decimals: number): bigint {
  const { whole, part } = digitsOf(price)
  const digits = part.replace(/0+$/, '')
  if (digits.length > decimals)
    throw new PaywallError(
      'invalid_price',
      `A price has at most ${decimals} digits after the point.`,
    )
  return BigInt(whole + digits.padEnd(decimals, '0'))
}

/** The amount in whole units. */
export function whole(amount: bigint, decimals: number): string {
  const text = String(amount).padStart(decimals + 1, '0')
  const part = text.slice(text.length - decimals).replace(/0+$/, '')
  return text.slice(0, text.length - decimals) + (part && `.${part}`)
}
