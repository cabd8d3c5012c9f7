const MONEY = ['balance', 'holdings', 'spending'] as const
const CARDS = ['cards', 'card', 'decisions', 'draft'] as const
const SOLD = ['listings', 'listing', 'credential'] as const

/** The queries that the events of a family change, by the first word of their types. */
const BY_FAMILY: Readonly<Record<string, readonly string[]>> = {
  agreement: ['agreements', 'mandates', ...CARDS, ...MONEY],
  approval: ['approvals', 'decisions'],
  card: [...CARDS, ...MONEY, 'links', 'limits'],
  credential: [...CARDS, ...MONEY, ...SOLD, 'links', 'agreements', 'token'],
  fees: ['fees', ...MONEY],
  funding: [...MONEY, 'cards', 'card'],
  key: ['keys', 'limits'],
  limits: [...CARDS, 'limits', 'keys'],
  listing: [...SOLD, ...CARDS, ...MONEY, 'links', 'agreements'],
  mandate: ['mandates', 'agreements'],
  market: ['tokens', 'token', ...SOLD],
  membership: ['membership', 'plans', 'fees', 'agreements', ...CARDS, ...MONEY],
  operator: ['operator'],
  paylink: ['links'],
  payment: [
    ...['payments', 'payment', 'receipt', 'links', 'exceptions', 'mandates', 'approvals', 'fees'],
    ...['facilitator', ...CARDS, ...MONEY, ...SOLD],
  ],
  token: ['registered'],
  webhook: ['webhooks', 'deliveries', 'delivery'],
  withdrawal: ['withdrawals', 'payout-addresses', ...MONEY],
}

/** Queries that no event of the wallet changes: they stay, are asked for anew in time, or are of one page that was opened. */
export const STEADY: readonly string[] = [
  ...['config', 'home', 'profile', 'qr', 'session', 'sessions', 'requests', 'events', 'name'],
  'readiness',
]

/** The queries that an event changes, but for the lists of events themselves. A family that is not known may change all. */
export const changedBy = (type: string): readonly string[] | undefined =>
  BY_FAMILY[type.slice(0, type.indexOf('.'))]

export const CHANGED: ReadonlySet<string> = new Set(Object.values(BY_FAMILY).flat())
