import { FEED_START } from '../../src/api/events/cursor.ts'
import { type FeedEvent, readEvents } from '../../src/api/events/sources.ts'
import { type Reader, sql } from '../../src/base/db/sql.ts'

/** More events than any test makes. */
const ALL = 1_000_000

/**
 * The orders in which the events of one object may come to one wallet, by the first word of their types: a regular expression over
 * the second words. What may come at any time is left out of `steps`. A mandate is named by whoever signs it, and may be issued again under its name.
 */
const PATHS: Record<string, { path: RegExp; anytime?: string[] }> = {
  // A reorganization may undo a payment, and another block may have it again. A refund may come to the buyer of the card that was paid.
  payment: { path: /^(sent|settled|failed|refunded)( refunded| failed| sent| settled)*$/ },
  // A refund that can never be paid leaves it to its seller to resolve it again.
  exception: {
    path: /^exception( exception_resolved exception_reopened)*( exception_resolved)?$/,
  },
  // The owner of a card that was bought knows it from its transfer on. A sale on chain freezes it before, and unfreezes it after.
  card: {
    path: /^((^| )(issued( activated| funding_failed)?|transferred( unfrozen)?)( frozen unfrozen)*(( frozen)?|( frozen)?( closed| expired)( frozen)?)( transferred)?)+$/,
    anytime: ['updated', 'declined', 'funded', 'claimed'],
  },
  // An owner may approve what nobody has asked for.
  approval: { path: /^(requested|(requested )?approved)( denied| expired)?$/ },
  paylink: { path: /^created( completed| expired| cancelled)?$/ },
  funding: { path: /^confirmed$/ },
  withdrawal: {
    path: /^processing( completed| failed)?$/,
    anytime: ['address_added', 'address_removed'],
  },
  key: { path: /^created( revoked)?$/ },
  token: { path: /^registered( removed registered)*( removed)?$/ },
  // Its merchant may be the buyer of the card that it pays, who was not there when it was created or paused.
  agreement: {
    path: /^(created)?( ?resumed)?( ?paused resumed)*( ?paused)?( ?cancelled| ?completed)?$/,
    anytime: ['charged', 'charge_failed', 'cancel_scheduled', 'merchant_changed'],
  },
  // Its buyer hears only that it was sold. A restored service may have cancelled what the chain had sold.
  listing: { path: /^(created|(created )?(cancelled )?sold|created cancelled)$/ },
}

/** Names each object whose events came in an order that its states do not have. */
export async function pathFaults(on: Reader): Promise<string[]> {
  const events = await readEvents(on, { after: FEED_START, limit: ALL, where: () => sql`true` })
  const walked = new Map<string, { kind: string; steps: string[] }>()
  for (const event of events) {
    const { kind, step, object } = placeOf(event)
    const { anytime = [] } = PATHS[kind] ?? {}
    if (!PATHS[kind] || anytime.includes(step)) continue
    const key = `${event.walletAddress} ${kind} ${object}`
    const found = walked.get(key) ?? { kind, steps: [] }
    found.steps.push(step)
    walked.set(key, found)
  }
  return [...walked].flatMap(([key, { kind, steps }]) =>
    PATHS[kind]?.path.test(steps.join(' ')) ? [] : [`${key}: ${steps.join(', ')}`],
  )
}

/** A payment has two sides, and one wallet may be both. */
function placeOf({ type, subject, data }: FeedEvent) {
  const [kind = '', step = ''] = type.split('.')
  if (type === 'credential.transferred')
    return { kind: 'card', step: 'transferred', object: subject }
  if (step.startsWith('exception')) return { kind: 'exception', step, object: subject }
  const side = typeof data.direction === 'string' ? ` ${data.direction}` : ''
  return { kind, step, object: subject + side }
}
