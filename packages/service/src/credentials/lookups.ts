import type { Services } from '../http/services.ts'
import { utcDay } from '../kernel/clock.ts'
import { Problem } from '../kernel/problem.ts'
import { countLookup } from './store.ts'

const DAY_SECONDS = 86_400

/** Counts one lookup of the key, whatever it finds. Throws 429 once the key has used up its lookups of the UTC day. */
export async function meterLookup(
  { db, settings }: Pick<Services, 'db' | 'settings'>,
  at: Date,
  keyHash: string,
): Promise<void> {
  const most = settings.credentialLookups
  const isCounted =
    most > 0 && (await db.write((tx) => countLookup(tx, { keyHash, day: utcDay(at), most })))
  if (isCounted) return
  const seconds = DAY_SECONDS - Math.floor((at.getTime() / 1000) % DAY_SECONDS)
  throw new Problem(
    'rate_limited',
    `This key has used up its ${most} lookups of credentials today. Try again in ${seconds} seconds, when the next UTC day begins.`,
    {
      headers: {
        'retry-after': String(seconds),
        'ratelimit-limit': String(most),
        'ratelimit-remaining': '0',
        'ratelimit-reset': String(seconds),
      },
    },
  )
}
