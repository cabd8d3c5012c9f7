import type { Uses } from '../../api/http/services.ts'
import type { Lane } from '../../base/db/lanes/lane.ts'
import { utcDay } from '../../base/kernel/clock.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { countLookups } from './store.ts'

const DAY_SECONDS = 86_400

type Lookup = { keyHash: string; most: number }

/** A commit for each lookup was half of what it cost the database, and a key's lookups waited for each other's. */
const lookupLane: Lane<Lookup, boolean> = {
  name: 'credential_lookups',
  run: (tx, at, lookups) =>
    countLookups(tx, {
      keyHashes: lookups.map(({ keyHash }) => keyHash),
      day: utcDay(at),
      most: Math.min(...lookups.map(({ most }) => most)),
    }),
}

/** Counts one lookup of the key, whatever it finds. Throws 429 once the key has used up its lookups of the UTC day. */
export async function meterLookup(
  { lanes, settings }: Uses<'lanes' | 'settings'>,
  at: Date,
  keyHash: string,
): Promise<void> {
  const most = settings.credentialLookups
  if (most > 0 && (await lanes.submit(lookupLane, { keyHash, most }))) return
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
