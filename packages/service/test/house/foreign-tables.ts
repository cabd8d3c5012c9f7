import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Source, sqlOf } from '../../../../scripts/figures/sources.ts'
import { ROOMS, roomOf } from './rooms.ts'

/** The rooms of migration files that have other names. */
const ROOM_OF_MIGRATION: Record<string, string> = {
  'on-chain-sales': 'market',
  'card-tokens': 'cards',
  clock: 'jobs',
  'database-trials': 'db',
  'machine-connections': 'oversight',
  'pay-links': 'link',
  arrivals: 'link',
  'session-streams': 'events',
  'shared-rates': 'http',
  'verified-states': 'ledger',
  'archived-months': 'ledger',
  'replaced-secrets': 'operate',
  'restored-backup': 'operate',
  'settled-once': 'settlements',
  'settled-before': 'settlements',
  'months-bound': 'settlements',
  'months-checked': 'settlements',
  months: 'settlements',
  'spending-weeks': 'stats',
  'card-entries': 'cards',
  'payout-addresses': 'treasury',
  'payout-approvals': 'treasury',
}
/**
 * The queue makes its own tables, in a schema of this name. The development clock is the embedded chain's. All transfers, the
 * histories of a card, and the events of its payments, are views of settlements, so they are made after those.
 */
const OWNERS: [table: string, room: string][] = [
  ['graphile_worker', 'jobs'],
  ['dev_clock', 'embedded'],
  ['pay_link_checkouts', 'pay-links'],
  ['ledger_transfers', 'ledger'],
  ['settlement_transfers', 'ledger'],
  ['ledger_entries', 'ledger'],
  ['card_transactions', 'cards'],
  ['card_settlements_sent', 'cards'],
  ['card_settlements_received', 'cards'],
  ['card_decisions', 'cards'],
  ['card_settlement_decisions', 'cards'],
  ['payment_events_sent', 'events'],
  ['payment_events_received', 'events'],
  ['paid_mandates', 'ap2'],
]
/** Every table and view with the room that owns it: the room in the name of its migration file. */
function ownersOfTables(migrations: string): Map<string, string> {
  const owners = new Map(OWNERS)
  for (const file of readdirSync(migrations).filter((name) => name.endsWith('.sql'))) {
    const [, name = ''] = /^\d+-(.+)\.sql$/.exec(file) ?? []
    const text = readFileSync(join(migrations, file), 'utf8')
    for (const [, table = ''] of text.matchAll(/^create (?:unlogged )?(?:table|view) (\w+)/gm))
      if (!owners.has(table)) owners.set(table, ROOM_OF_MIGRATION[name] ?? name)
  }
  return owners
}

/** Text that is a table and perhaps its alias: a part for the joins of other statements. */
const PART = /^['"`](\w+)(?: \w+)?['"`]$/
const USE = /\b(from|join|using|into|update|truncate)\s+(?:only\s+)?(\w+)/gi
const READS = ['from', 'join', 'using']

/** A use of a table in the SQL of a room that does not own it. */
export type ForeignUse = { room: string; verb: 'reads' | 'writes'; table: string; owner: string }

/** Every use of a table in another room's SQL, once. No room is exempt. */
export function foreignUses(sources: Source[], migrations: string): ForeignUse[] {
  const owners = ownersOfTables(migrations)
  const found = new Map<string, ForeignUse>()
  for (const source of sources) {
    const room = roomOf(source.path)
    for (const text of sqlOf(source)) {
      const [, part = ''] = PART.exec(text) ?? []
      for (const [, word = '', table = ''] of [...text.matchAll(USE), ['', 'from', part]]) {
        const owner = owners.get(table)
        if (owner === undefined || owner === room) continue
        const verb = READS.includes(word.toLowerCase()) ? 'reads' : 'writes'
        found.set(`${room} ${verb} ${table}`, { room, verb, table, owner })
      }
    }
  }
  return [...found.values()]
}

/** Keeps the uses of a table that a room above owns: a room knows nothing about those above it. */
export const usesFromBelow = (uses: readonly ForeignUse[]): ForeignUse[] =>
  uses.filter(({ room, owner }) => ROOMS.indexOf(owner) > ROOMS.indexOf(room))
