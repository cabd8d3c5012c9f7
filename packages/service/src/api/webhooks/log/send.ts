import type { Destination } from '../../../base/egress/keep-alive.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import type { Uses } from '../../http/services.ts'
import type { Attempted } from '../deliver/attempt.ts'
import { checkEndpoint } from '../endpoint.ts'
import { takeTurn } from '../hosts/turns.ts'

/** How long a delivery is kept for the request that sends it: longer than the request may take. */
export const SENDING_SECONDS = 30

/** Where to send now. Throws `upstream_failed` if the guard refuses the URL, and `rate_limited` if its host must wait. */
export async function takeDestination(
  services: Uses<'db' | 'egress' | 'settings'>,
  at: Date,
  url: string,
): Promise<Destination> {
  const destination = await checkEndpoint(services, url).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
    throw new Problem('upstream_failed', `Nothing was sent: ${error.message}`, { cause: error })
  })
  const until = await takeTurn(services, at, destination)
  if (!until) return destination
  const seconds = Math.max(1, Math.ceil((until.getTime() - at.getTime()) / 1000))
  throw new Problem(
    'rate_limited',
    `The host of this webhook was sent a request just now, and one that has not answered 2xx in seven days gets one in ten seconds. Try again in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds) } },
  )
}

/** The answer to a test or a replay. */
export type Answered = { ok: boolean; status_code: number; attempts: number; event_id: string }

/** The answer for an attempt. Throws `upstream_failed` if nobody answered it. */
export function answeredOf(
  { kind, statusCode, error }: Attempted,
  of: { attempts: number; eventId: string },
): Answered {
  if (statusCode === null)
    throw new Problem(
      'upstream_failed',
      `The endpoint did not answer: ${error} The attempt is in the log; try again once the endpoint is up.`,
    )
  const { attempts, eventId: event_id } = of
  return { ok: kind === 'delivered', status_code: statusCode, attempts, event_id }
}
