import type { EventKind } from './define.ts'
import * as access from './types/access.ts'
import * as agreements from './types/agreements.ts'
import * as approvals from './types/approvals.ts'
import * as cards from './types/cards.ts'
import * as fees from './types/fees.ts'
import * as mandates from './types/mandates.ts'
import * as markets from './types/market/crt.ts'
import * as identity from './types/market/identity.ts'
import * as listings from './types/market/listings.ts'
import * as operator from './types/operator.ts'
import * as payLinks from './types/pay-links.ts'
import * as payments from './types/payments.ts'
import * as membership from './types/recurring/membership.ts'
import * as treasury from './types/treasury.ts'
import * as webhooks from './types/webhooks.ts'

const isKind = (value: unknown): value is EventKind =>
  typeof value === 'object' && value !== null && 'of' in value

/** Every type of event, by group. */
export const EVENT_KINDS: readonly EventKind[] = [
  payments,
  cards,
  approvals,
  payLinks,
  treasury,
  access,
  fees,
  mandates,
  membership,
  agreements,
  identity,
  markets,
  listings,
  webhooks,
  operator,
].flatMap((group) => Object.values(group).filter(isKind))

export const EVENT_TYPES: ReadonlySet<string> = new Set(EVENT_KINDS.map(({ type }) => type))
