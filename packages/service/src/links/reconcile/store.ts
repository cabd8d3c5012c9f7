import { all, json, one, type Reader, sql, type Tx } from '../../base/db/sql.ts'
import type { Address, Hex } from '../../base/kernel/assets.ts'
import { type Id, newId } from '../../base/kernel/ids.ts'
import type { SignedPermit } from '../../chain/transfers/reads/permit-use.ts'
import { readLiabilities } from '../../money/ledger/verify/verify.ts'
import { isPull } from '../../money/pulls/store.ts'
import type { PayoutMechanism } from '../../money/treasury/withdrawals/store.ts'
import { findLinkAddresses } from '../link/store-addresses.ts'

/** A transfer log by its place on the chain. */
export type LogPlace = { txHash: Hex; logIndex: number }
/** Money under a signed authorization of the treasury, which may or may not be used by the block. */
export type Promised = { from: Address; nonce: Hex; value: bigint }
export type Credited = { txHash: Hex; value: bigint; blockNumber: bigint | null }

/** The state of the books for one asset in one snapshot. Sums in base units. */
export type BooksAt = {
  /** The ledger has no entry yet in this asset. */
  isVirgin: boolean
  /** The custody that the ledger expects. */
  owed: bigint
  /** Seen by the watcher, arrived by the block, and not credited. */
  arrived: { state: string; transfers: bigint; sum: bigint }[]
  /** The requested places whose money has been credited. */
  taken: LogPlace[]
  /** Addresses of pay links among the requested senders and `touched`. */
  linkAddresses: Set<Address>
  /** Deposits and pulls that were booked from later blocks. */
  depositsAhead: bigint
  /** Recent credits of links by transaction, with its block if that is known. */
  credited: Credited[]
  /** Signed, and not booked as gone. */
  open: Promised[]
  openPermits: OpenPermit[]
  /** Booked as gone, in a later block. */
  paymentsAhead: bigint
  /** Recently booked as gone. */
  closed: Promised[]
  closedPermits: Promised[]
  /** Both ends of transfers in later blocks. */
  touched: Address[]
  /** Arrived in blocks that the watcher had passed by the first comparison, and seen or reported only after it. */
  claimed: bigint
}
/** The first comparison of an asset, and the last block that the watcher had read by then. */
export type Opened = { opening: bigint; openingBlock: bigint; openedAt: Date }
type Asked = {
  network: string
  asset: string
  token: Address
  treasury: Address
  block: bigint
  /** The last block that the watcher's rows cover. */
  watched: bigint
  /** Credits and bookings before this time are of this block or an earlier one. */
  since: Date
  places: LogPlace[]
  senders: Address[]
  opened: Opened | undefined
}

/** Reads all terms in one snapshot, so that a concurrent transaction counts in every term or in none. */
export async function readBooks(tx: Tx, asked: Asked): Promise<BooksAt> {
  await sql`set transaction isolation level repeatable read, read only`.execute(tx)
  const { network, asset } = asked
  const liabilities = await readLiabilities(tx)
  const ours = liabilities.find((row) => row.network === network && row.asset === asset)
  const touched = await findTouched(tx, asked)
  return {
    isVirgin: ours === undefined,
    owed: ours?.custody ?? 0n,
    arrived: await findArrived(tx, asked),
    taken: await findTaken(tx, asked),
    linkAddresses: await findLinkAddresses(tx, [...asked.senders, ...touched]),
    depositsAhead: await sumOf(
      tx,
      sql`select sum(amount) as sum from (
        select amount from deposits
          where network = ${network} and asset = ${asset} and block_number > ${asked.block}
        union all select amount from pulls
          where network = ${network} and asset = ${asset} and block_number > ${asked.block} and state = 'confirmed') a`,
    ),
    credited: await findCredited(tx, asked),
    open: await findOpen(tx, asked),
    openPermits: await findOpenPermits(tx, asked),
    paymentsAhead: await sumOf(
      tx,
      sql`select sum(merchant_amount) as sum from outbound_payments
        where network = ${network} and asset = ${asset} and state = 'final' and block_number > ${asked.block}`,
    ),
    closed: await findClosed(tx, asked, 'eip3009'),
    closedPermits: await findClosed(tx, asked, 'permit2'),
    touched,
    claimed: asked.opened ? await sumClaimed(tx, asked, asked.opened) : 0n,
  }
}

const sumClaimed = (
  tx: Tx,
  { network, asset, treasury }: Asked,
  { openingBlock, openedAt }: Opened,
): Promise<bigint> =>
  sumOf(
    tx,
    sql`select sum(amount) as sum from (
      select amount from watched_transfers where network = ${network} and asset = ${asset} and to_address = ${treasury}
          and block_number <= ${openingBlock} and seen_at > ${openedAt} and state in ('seen', 'unclaimed', 'credited', 'alarm')
      union all select amount from deposits d where network = ${network} and asset = ${asset}
          and block_number <= ${openingBlock} and created_at > ${openedAt} and not exists (select from watched_transfers w
            where w.network = d.network and w.tx_hash = d.tx_hash and w.log_index = d.log_index)) c`,
  )

const findClosed = (
  tx: Tx,
  { network, asset, since }: Asked,
  mechanism: PayoutMechanism,
): Promise<Promised[]> =>
  all<Promised>(
    tx,
    sql`select from_address as "from", nonce, net_amount as value from withdrawals where network = ${network}
      and asset = ${asset} and mechanism = ${mechanism} and status = 'COMPLETED' and ended_at > ${since}`,
  )

const sumOf = async (tx: Tx, query: ReturnType<typeof sql>): Promise<bigint> =>
  (await one<{ sum: bigint | null }>(tx, query as never))?.sum ?? 0n

/** Leaves out sweeps from a link's address to the treasury: that money was in custody already. */
const findArrived = (
  tx: Tx,
  { network, asset, treasury, watched }: Asked,
): Promise<BooksAt['arrived']> =>
  all(
    tx,
    sql`select state, count(*) as transfers, sum(amount) as sum from watched_transfers w
      where network = ${network} and asset = ${asset} and state in ('seen', 'passed_on', 'unclaimed', 'pulled') and block_number <= ${watched}
        and not ${isPull('w')}
        and not exists (select from deposits d where d.network = w.network and d.tx_hash = w.tx_hash
          and d.log_index = w.log_index)
        and not exists (select from pay_link_logs l where l.network = w.network and l.tx_hash = w.tx_hash
          and l.log_index = w.log_index)
        and not (to_address = ${treasury} and (from_address = ${treasury}
          or exists (select from pay_links p where p.deposit_address = w.from_address)))
      group by state`,
  )

const findTaken = (tx: Tx, { network, places }: Asked): Promise<LogPlace[]> =>
  all<LogPlace>(
    tx,
    sql`select r.tx_hash, r.log_index from unnest(${places.map((place) => place.txHash)}::text[],
        ${places.map((place) => place.logIndex)}::integer[]) as r (tx_hash, log_index)
      where exists (select from deposits d where d.network = ${network} and d.tx_hash = r.tx_hash
          and d.log_index = r.log_index)
        or exists (select from pulls u where u.network = ${network} and u.tx_hash = r.tx_hash
          and u.log_index = r.log_index and u.state = 'confirmed')
        or exists (select from pay_link_logs l where l.network = ${network} and l.tx_hash = r.tx_hash
          and l.log_index = r.log_index)`,
  )

/** One transaction may pay a settlement and an exception for what was paid beyond it. */
const findCredited = (tx: Tx, { network, asset, since }: Asked): Promise<Credited[]> =>
  all<Credited>(
    tx,
    sql`select c.tx_hash, sum(c.amount) as value, (select max(w.block_number) from watched_transfers w
          where w.network = ${network} and w.tx_hash = c.tx_hash and w.state <> 'orphaned') as block_number
      from (select tx_hash, amount from settlements where state = 'settled' and tx_hash is not null
          and settled_at > ${since} and network = ${network} and asset = ${asset}
        union all select e.tx_hash, e.amount from payment_exceptions e join pay_links l on l.id = e.pay_link_id and e.settlement_mode = 'CUSTODIAL'
          where e.created_at > ${since} and l.network = ${network} and l.asset = ${asset}) c
      group by c.tx_hash`,
  )

const findOpen = (tx: Tx, { network, asset, treasury }: Asked): Promise<Promised[]> =>
  all<Promised>(
    tx,
    sql`select ${treasury} as "from", nonce, merchant_amount as value from outbound_payments
        where network = ${network} and asset = ${asset} and mechanism = 'eip3009'
          and state in ('authorized', 'presented', 'captured')
      union all select from_address, nonce, net_amount from withdrawals
        where network = ${network} and asset = ${asset} and mechanism = 'eip3009' and status = 'PROCESSING'`,
  )

/** A payment by Permit2 that is not booked as gone. `value` is the most that it may take. */
export type OpenPermit = SignedPermit & { fromBlock: bigint }

const findOpenPermits = (tx: Tx, { network, asset, token }: Asked): Promise<OpenPermit[]> =>
  all<OpenPermit>(
    tx,
    sql`select mechanism, ${token}::text as token, pay_to as "to", max_amount as value, nonce, from_block
      from outbound_payments where network = ${network} and asset = ${asset} and mechanism <> 'eip3009'
        and state in ('authorized', 'presented', 'captured')
      union all select mechanism, ${token}::text, to_address, net_amount, nonce, from_block from withdrawals
        where network = ${network} and asset = ${asset} and mechanism = 'permit2' and status = 'PROCESSING'`,
  )

/** A payout that was booked as gone. Anybody can submit it again until `validBefore`, in Unix seconds. */
export type Booked = Promised & { id: string; mechanism: PayoutMechanism; validBefore: bigint }

/** Payouts that were booked as gone: those with an open alarm, then the newest ones since `since`. */
export async function findBooked(
  on: Reader,
  of: { network: string; asset: string; treasury: Address; since: Date; limit: number },
): Promise<Booked[]> {
  const alarms = await findOpenAlarms(on)
  const known = alarms.filter(({ kind }) => kind === 'undone_payout').map(({ subject }) => subject)
  const isDue = sql`(ended_at > ${of.since} or id = any(${known}::text[]))`
  return all<Booked>(
    on,
    sql`select id, mechanism, "from", nonce, value, valid_before from (
        select id, mechanism, from_address as "from", nonce, net_amount as value, valid_before, ended_at from withdrawals
          where network = ${of.network} and asset = ${of.asset} and status = 'COMPLETED' and ${isDue}
        union all select id, mechanism, ${of.treasury}, nonce, merchant_amount, valid_before, ended_at from outbound_payments
          where network = ${of.network} and asset = ${of.asset} and state = 'final' and mechanism = 'eip3009' and ${isDue}) booked
      order by id = any(${known}::text[]) desc, ended_at desc limit ${of.limit}`,
  )
}

async function findTouched(tx: Tx, { network, asset, block }: Asked): Promise<Address[]> {
  const rows = await all<{ address: Address }>(
    tx,
    sql`select from_address as address from watched_transfers
        where network = ${network} and asset = ${asset} and block_number > ${block}
      union select to_address from watched_transfers
        where network = ${network} and asset = ${asset} and block_number > ${block}`,
  )
  return rows.map((row) => row.address)
}

/** Link addresses with transfers that are not yet credited or otherwise finished. */
export async function findPaidAddresses(on: Reader, network: string): Promise<Address[]> {
  const rows = await all<{ address: Address }>(
    on,
    sql`select distinct to_address as address from watched_transfers
      where network = ${network} and state in ('seen', 'passed_on', 'unclaimed', 'alarm')`,
  )
  return rows.map((row) => row.address)
}

/** The terms of a comparison, in base units. The migration describes each of them. */
export type Terms = {
  onChain: bigint
  owed: bigint
  unclaimed: bigint
  awaited: bigint
  early: bigint
  departed: bigint
  ahead: bigint
  opening: bigint
  claimed: bigint
  difference: bigint
}
export type StoredComparison = Terms &
  Opened & {
    network: string
    asset: string
    block: bigint
    comparedAt: Date
  }

export const findComparison = (
  on: Reader,
  of: { network: string; asset: string },
): Promise<StoredComparison | undefined> =>
  one<StoredComparison>(
    on,
    sql`select network, asset, block, compared_at, on_chain, owed, unclaimed, awaited, early, departed, ahead, opening,
        opening_block, opened_at, claimed, difference from reconciliations where network = ${of.network} and asset = ${of.asset}`,
  )

/** Stores the comparison unless a newer one is stored. The opening of the first comparison is kept. */
export async function saveComparison(tx: Tx, row: StoredComparison): Promise<void> {
  await sql`insert into reconciliations as r (network, asset, block, compared_at, on_chain, owed, unclaimed, awaited, early,
      departed, ahead, opening, opening_block, opened_at, claimed, difference)
    values (${row.network}, ${row.asset}, ${row.block}, ${row.comparedAt}, ${row.onChain}, ${row.owed}, ${row.unclaimed},
      ${row.awaited}, ${row.early}, ${row.departed}, ${row.ahead}, ${row.opening}, ${row.openingBlock},
      ${row.openedAt}, ${row.claimed}, ${row.difference})
    on conflict (network, asset) do update set block = excluded.block, compared_at = excluded.compared_at,
      on_chain = excluded.on_chain, owed = excluded.owed, unclaimed = excluded.unclaimed, awaited = excluded.awaited,
      early = excluded.early, departed = excluded.departed, ahead = excluded.ahead, claimed = excluded.claimed, difference = excluded.difference
    where excluded.compared_at >= r.compared_at and excluded.opening = r.opening`.execute(tx)
}

export const ALARM_KINDS = [
  'custody',
  'not_compared',
  'moved_transfer',
  'missing_settlement',
  'missing_pull',
  'undone_payout',
  'no_depositor',
  'relayer_gas_low',
  'relayer_gas_out',
  'books',
  'checkpoint',
  'outside_months',
  'clock',
  'database',
] as const
export type AlarmKind = (typeof ALARM_KINDS)[number]
export type Alarm = {
  id: Id<'alm'>
  kind: AlarmKind
  subject: string
  sentence: string
  details: Record<string, string>
  firstSeen: Date
  lastSeen: Date
  acknowledgedAt: Date | null
  acknowledgedNote: string | null
  resolvedAt: Date | null
}
/** A trouble that was found. If its `details` change, it counts as another trouble. */
export type Trouble = Pick<Alarm, 'kind' | 'subject' | 'sentence' | 'details'>

const ALARM = sql`select id, kind, subject, sentence, details, first_seen, last_seen, acknowledged_at, acknowledged_note,
    resolved_at from alarms`

/**
 * Stores each trouble as one open alarm. Returns the alarms that are new or whose details have changed. A change also
 * removes the acknowledgement.
 */
export async function upsertAlarms(tx: Tx, at: Date, found: Trouble[]): Promise<Alarm[]> {
  const raised: Alarm[] = []
  for (const { kind, subject, sentence, details } of found) {
    const before = await one<Alarm>(
      tx,
      sql<Alarm>`${ALARM} where kind = ${kind} and subject = ${subject} and resolved_at is null for update`,
    )
    const after = await one<Alarm>(
      tx,
      sql<Alarm>`insert into alarms as a (id, kind, subject, sentence, details, first_seen, last_seen)
        values (${newId('alm', at)}, ${kind}, ${subject}, ${sentence}, ${json(details)}, ${at}, ${at})
        on conflict (kind, subject) where resolved_at is null do update set
          last_seen = greatest(a.last_seen, excluded.last_seen), sentence = excluded.sentence,
          details = excluded.details,
          acknowledged_at = case when a.details = excluded.details then a.acknowledged_at end,
          acknowledged_note = case when a.details = excluded.details then a.acknowledged_note end
        returning id, kind, subject, sentence, details, first_seen, last_seen, acknowledged_at, acknowledged_note,
          resolved_at`,
    )
    const isSame = before?.id === after?.id && before && after && isEqual(before, after)
    if (after && !isSame) raised.push(after)
  }
  return raised
}

const isEqual = (a: Alarm, b: Alarm): boolean =>
  Object.keys(a.details).length === Object.keys(b.details).length &&
  Object.entries(a.details).every(([name, value]) => b.details[name] === value)

/** Ends the open alarms of these kinds, of one subject if given, except these troubles. Returns the ended ones. */
export const endAlarms = (
  tx: Tx,
  at: Date,
  over: { kinds: readonly AlarmKind[]; subject?: string | undefined; but: readonly Trouble[] },
): Promise<Alarm[]> =>
  all<Alarm>(
    tx,
    sql`update alarms a set resolved_at = greatest(${at}::timestamptz, first_seen)
      where resolved_at is null and kind = any(${[...over.kinds]}::text[])
        and (${over.subject ?? null}::text is null or subject = ${over.subject ?? null})
        and not exists (select from unnest(${over.but.map((row) => row.kind)}::text[],
          ${over.but.map((row) => row.subject)}::text[]) as still (kind, subject)
          where still.kind = a.kind and still.subject = a.subject)
      returning id, kind, subject, sentence, details, first_seen, last_seen, acknowledged_at, acknowledged_note,
        resolved_at`,
  )

/** Open alarms, oldest first. */
export const findOpenAlarms = (on: Reader): Promise<Alarm[]> =>
  all<Alarm>(on, sql<Alarm>`${ALARM} where resolved_at is null order by first_seen, id`)

/** Open and ended alarms, newest first. */
export const findAlarms = (on: Reader, limit: number): Promise<Alarm[]> =>
  all<Alarm>(
    on,
    sql<Alarm>`${ALARM} order by resolved_at is null desc, first_seen desc, id desc limit ${limit}`,
  )

/** Stores that an operator knows of the alarm. Undefined if there is no such alarm. */
export const acknowledge = (
  tx: Tx,
  at: Date,
  { id, note }: { id: string; note: string },
): Promise<Alarm | undefined> =>
  one<Alarm>(
    tx,
    sql`update alarms set acknowledged_at = ${at}, acknowledged_note = ${note} where id = ${id}
      returning id, kind, subject, sentence, details, first_seen, last_seen, acknowledged_at, acknowledged_note,
        resolved_at`,
  )

/** How many alarms are open, by kind. */
export const countAlarms = (on: Reader): Promise<{ kind: AlarmKind; alarms: bigint }[]> =>
  all(on, sql`select kind, count(*) as alarms from alarms where resolved_at is null group by kind`)
