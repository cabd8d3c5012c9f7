import type { Logger } from 'pino'
import type { Chain } from '../chain/chain.ts'
import type { Lanes } from '../db/lane.ts'
import type { Db } from '../db/sql.ts'
import type { Egress } from '../egress/egress.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Settings } from '../kernel/settings.ts'
import type { StoredAnswer } from './idempotency.ts'

/** What the edge holds and hands to the rooms: built once in `app.ts`, never looked up anywhere else. */
export type Services = {
  db: Db
  lanes: Lanes<StoredAnswer>
  chain: Chain
  egress: Egress
  settings: Settings
  clock: Clock
  log: Logger
  /** Seals stored answers, which may carry a secret. */
  answerKey: Buffer
}
