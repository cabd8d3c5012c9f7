import type { Uses } from '../../../api/http/services.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { EgressError } from '../../../base/egress/errors.ts'
import { enqueueOne } from '../../../base/jobs/queue.ts'
import { addSeconds } from '../../../base/kernel/clock.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { lookAtResourcesTask } from '../tasks.ts'
import { listingOf } from './listing.ts'
import {
  askStaleAgain,
  deleteListing,
  deleteOldLooks,
  failListing,
  hasLooks,
  type Look,
  reopenLook,
  saveListing,
  takeLooks,
} from './store-looks.ts'

/** Requests at once, and the pause after them: 30 requests a minute go out for listings, however many are asked for. */
const LOOKS_AT_ONCE = 5
const PAUSE_SECONDS = 10
/** One host gets one request in so many seconds. */
const HOST_SECONDS = 60
/** The pause, in seconds, before a URL is looked at again. The limits of a wallet and of a host count over it. */
const KEPT_SECONDS = 3_600
/** A listing is looked at again after a day. After so many failures in a row it is removed. */
const STALE_SECONDS = 86_400
const FAILURES_MAX = 3
const LISTINGS_MAX = 100
const TIMEOUT_MS = 5_000
/** The largest demand in a body. */
const BODY_MAX_BYTES = 32 * 1024

/** Enqueues the job that looks at the noted resources. */
export const lookSoon = (tx: Tx): Promise<void> => enqueueOne(tx, lookAtResourcesTask, 1)

/** Looks at some of the waiting resources, and enqueues itself while others wait. */
export async function lookAtResources(services: Uses<'db' | 'egress'>, at: Date): Promise<void> {
  const { db } = services
  const looks = await db.write(async (tx) => {
    await deleteOldLooks(tx, addSeconds(at, -KEPT_SECONDS))
    await askStaleAgain(tx, at, { before: addSeconds(at, -STALE_SECONDS), limit: LOOKS_AT_ONCE })
    const hostsBefore = addSeconds(at, -HOST_SECONDS)
    return takeLooks(tx, at, { hostsBefore, limit: LOOKS_AT_ONCE })
  })
  await Promise.all(looks.map((look) => lookAtOne(services, at, look)))
  await db.write(async (tx) => {
    if (await hasLooks(tx)) await enqueueOne(tx, lookAtResourcesTask, PAUSE_SECONDS)
  })
}

async function lookAtOne(services: Uses<'db' | 'egress'>, at: Date, look: Look): Promise<void> {
  const { db, egress } = services
  const { url, method, payTo } = look
  const isPost = method === 'POST'
  try {
    const answer = await egress.fetch({
      url,
      method,
      timeoutMs: TIMEOUT_MS,
      maxBytes: BODY_MAX_BYTES,
      ...(isPost ? { body: '{}', headers: { 'content-type': 'application/json' } } : {}),
    })
    const listing = listingOf(answer, { url, payTo })
    await db.write(async (tx) => {
      if (listing) await saveListing(tx, at, { look, listing, limit: LISTINGS_MAX })
      else if (answer.status >= 500) await failListing(tx, at, { url, most: FAILURES_MAX })
      else await deleteListing(tx, url)
    })
  } catch (error) {
    if (error instanceof EgressError)
      await db.write((tx) => failListing(tx, at, { url, most: FAILURES_MAX }))
    // Our own limit of outgoing requests is reached.
    else if (error instanceof Problem) await db.write((tx) => reopenLook(tx, url))
    else throw error
  }
}
