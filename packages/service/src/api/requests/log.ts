import { afterRequests } from '../../base/db/lanes/after-requests.ts'
import type { OnAnswered } from '../http/server/answered.ts'
import type { Uses } from '../http/services.ts'
import { Ration } from './ration.ts'
import { shownPath } from './shown-path.ts'
import { insertRequests } from './store.ts'

export type RequestLog = { note: OnAnswered; flush(): Promise<void> }

/**
 * Notes requests in memory, and writes them once a second, after their answers: no request waits for it, and none fails with
 * it. What waits when the process is killed is lost.
 */
export function openRequestLog({ db, log }: Uses<'db' | 'log'>): RequestLog {
  let ration = new Ration()

  async function write(): Promise<void> {
    const { dropped } = ration
    const rows = ration.take().map(({ caller, ...of }) => ({
      walletAddress: caller.walletAddress,
      credentialHash: caller.credentialHash,
      way: caller.kind,
      requestId: of.id,
      ...{ method: of.method, route: of.route, path: shownPath(of.route, of.path) },
      ...{ status: of.status, code: of.code ?? null, ms: of.ms, createdAt: of.at },
    }))
    ration = new Ration()
    if (dropped > 0) log.debug({ dropped }, 'requests beyond the ration are not in their log')
    if (rows.length === 0) return
    await db
      .write((tx) => insertRequests(tx, rows))
      .catch((error) => log.warn({ err: error }, 'requests could not be written to their log'))
  }
  const { soon, flush } = afterRequests(write)
  return {
    note(request) {
      // A page that shows the log asks again and again, and would see little else.
      if (request.route.startsWith('/api/requests') && request.status < 400) return
      ration.put(request)
      soon()
    },
    flush,
  }
}
