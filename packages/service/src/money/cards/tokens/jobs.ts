import type { Services } from '../../../api/http/services.ts'
import type { Task } from '../../../base/jobs/worker.ts'
import { releaseOverdue } from './redeem.ts'
import { findOverdue } from './store.ts'

export const agentcardTasks: readonly Task<Services>[] = [
  {
    name: 'release_card_tokens',
    cron: '* * * * *',
    handle: async ({ db, chain }, _, at) => {
      for (const challengeId of await findOverdue(db.reader, at))
        await db.write((tx) => releaseOverdue(tx, at, { challengeId, chain }))
    },
  },
]
