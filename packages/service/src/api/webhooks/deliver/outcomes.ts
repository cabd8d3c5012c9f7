import { isRefusedRow, type Tx } from '../../../base/db/sql.ts'
import { record } from '../../events/record.ts'
import { webhookDisabled } from '../../events/types/webhooks.ts'
import type { Uses } from '../../http/services.ts'
import type { Attempted } from './attempt.ts'
import { healthAfter, isFailing, nextAttemptAt } from './schedule.ts'
import {
  type Due,
  disableEndpoints,
  type Ended,
  type EndpointState,
  lockEndpoints,
  saveEnded,
  saveHealth,
} from './store.ts'

/** The outcome of a delivery that a sender had. `lost`: its bytes are not kept, so nothing was sent. */
export type Outcome = {
  due: Due
  /** Where it was sent. */
  url: string
  at: Date
  isProbe: boolean
  ended: Attempted | { kind: 'lost' }
}

/** The status by which an endpoint says that it wants no more. */
const GONE = 410

/**
 * Writes outcomes down, with what they say of their endpoints. An answer that cannot be stored holds up no other: its
 * outcome is stored without it.
 */
export async function saveOutcomes(
  services: Uses<'db' | 'log'>,
  at: Date,
  outcomes: readonly Outcome[],
): Promise<void> {
  try {
    await saveTogether(services, at, outcomes)
  } catch (error) {
    if (!isRefusedRow(error)) throw error
    if (outcomes.length > 1)
      for (const outcome of outcomes) await saveOutcomes(services, at, [outcome])
    else {
      services.log.error({ err: error }, 'webhook')
      await saveTogether(services, at, outcomes.map(withoutAnswer))
    }
  }
}

function saveTogether({ db }: Uses<'db'>, at: Date, outcomes: readonly Outcome[]): Promise<void> {
  return db.write(async (tx) => {
    const active = await judgeEndpoints(
      tx,
      at,
      outcomes.map(({ due, ...sign }) => ({ ...sign, webhookId: due.webhookId })),
    )
    await saveEnded(
      tx,
      at,
      outcomes.map((outcome) => endedOf(outcome, active.has(outcome.due.webhookId))),
    )
  })
}

function withoutAnswer(outcome: Outcome): Outcome {
  const { ended } = outcome
  if (ended.kind === 'lost') return outcome
  const error = 'The answer cannot be stored.'
  return { ...outcome, ended: { ...ended, statusCode: null, head: null, error } }
}

/** An attempt, for what it says of its endpoint. */
export type Sign = Pick<Outcome, 'at' | 'isProbe' | 'ended'> & { webhookId: string }

/**
 * Locks endpoints, writes down what attempts say of them, and disables those that are gone. Returns which are ACTIVE
 * still.
 */
export async function judgeEndpoints(
  tx: Tx,
  at: Date,
  signs: readonly Sign[],
): Promise<ReadonlySet<string>> {
  const byEndpoint = Map.groupBy(signs, ({ webhookId }) => webhookId)
  const endpoints = await lockEndpoints(tx, [...byEndpoint.keys()])
  const active = endpoints.filter(({ status }) => status === 'ACTIVE')
  const changes = active.map((before) => changeOf(before, byEndpoint.get(before.id) ?? []))
  await saveHealth(
    tx,
    changes.flatMap(({ before, after }) => (isSame(before, after) ? [] : [after])),
  )
  const disabled = changes.flatMap(({ after, reason, lastStatus }) =>
    reason ? [{ id: after.id, after, reason, lastStatus }] : [],
  )
  if (disabled.length > 0) await disableEndpoints(tx, at, disabled)
  await record(
    tx,
    at,
    disabled.map(({ after, reason, lastStatus }) =>
      webhookDisabled.of({
        walletAddress: after.walletAddress,
        data: {
          webhook_id: after.id,
          url: after.url,
          reason,
          failing_since: (after.failingSince ?? at).toISOString(),
          last_status_code: lastStatus,
        },
      }),
    ),
  )
  return new Set(changes.flatMap(({ after, reason }) => (reason ? [] : [after.id])))
}

/** The row of a delivery after its attempt. To an endpoint that was disabled meanwhile nothing more is sent. */
function endedOf({ due, url, at, ended }: Outcome, isActive: boolean): Ended {
  const { webhookId, eventId, attempts: attemptsBefore } = due
  const same = { webhookId, eventId, attemptsBefore, url, nextAt: null, step: due.step }
  const nothing = { statusCode: null, head: null, error: null }
  if (ended.kind === 'lost')
    return {
      ...same,
      ...nothing,
      attempted: 0,
      status: 'EXHAUSTED',
      error: 'The body is not kept any more.',
    }
  const { statusCode, head, error } = ended
  const seen = { ...same, statusCode, head, error, attempted: 1 as const }
  if (ended.kind === 'delivered') return { ...seen, status: 'DELIVERED' }
  const step = due.step + 1
  const nextAt = isActive
    ? nextAttemptAt(at, {
        key: `${webhookId}:${eventId}`,
        step,
        retryAfterSeconds: ended.retryAfterSeconds,
      })
    : undefined
  return nextAt
    ? { ...seen, step, nextAt, status: 'FAILED' }
    : { ...seen, step, status: 'EXHAUSTED' }
}

type Change = {
  before: EndpointState
  after: EndpointState
  reason: 'gone' | 'failing' | null
  lastStatus: number | null
}

/** The state of an endpoint after its attempts, in the order in which they ended. */
function changeOf(before: EndpointState, signs: readonly Sign[]): Change {
  let after = before
  let reason: Change['reason'] = null
  let lastStatus: number | null = null
  for (const { ended, at, isProbe } of signs) {
    if (ended.kind === 'lost') continue
    after = { ...after, ...healthAfter(after, { kind: ended.kind, at, isProbe }) }
    lastStatus = ended.statusCode
    if (ended.statusCode === GONE) reason = 'gone'
    else if (reason === null && isFailing(after, at)) reason = 'failing'
    if (reason) break
  }
  return { before, after, reason, lastStatus }
}

const isSame = (a: EndpointState, b: EndpointState): boolean =>
  a.failures === b.failures && a.breakerUntil?.getTime() === b.breakerUntil?.getTime()
