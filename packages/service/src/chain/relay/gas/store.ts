import { all, type Reader, run, send, sql, type Tx } from '../../../base/db/sql.ts'
import type { Address, Hex, Network } from '../../../base/kernel/assets.ts'
import { utcDay } from '../../../base/kernel/clock.ts'
import type { Funds } from '../../client/simulate.ts'
import { MAX_IN_FLIGHT } from '../store.ts'

/** A payment that a relayer is to carry: whose money it moves, for which seller, and what it may burn. */
export type Flight = {
  /** The `ref` of its send. */
  ref: string
  network: Network
  token: Address
  payer: Address
  nonce: Hex
  /** Base units. */
  amount: bigint
  /** The wallet whose gas budget it uses. */
  seller: string
  gas: bigint
  /** Unix seconds. */
  validBefore: bigint
  funds: Funds
  /** The token is anybody's code, and waits if it fails. USDC never does. */
  isForeignToken: boolean
}

/** A payer's row: what is on its way, and what the chain showed of its balance. */
export type PayerRow = {
  network: Network
  token: Address
  payer: Address
  inFlight: bigint
  balance: bigint
  seenBlock: bigint
  freedBlock: bigint
}
export type WaitKind = 'payer' | 'token' | 'seller'
export type WaitRow = { kind: WaitKind; subject: string; failures: number; failedAt: Date }
/** The rows of everyone who takes part in some flights. */
export type Standing = {
  payers: PayerRow[]
  waits: WaitRow[]
  /** Gas of the day, with what is on its way. */
  spent: { seller: string; spent: bigint }[]
  /** The authorizations of these flights that are on their way already. */
  open: Omit<FlightKey, 'seller'>[]
}
/** The participants of a flight. */
export type FlightKey = Pick<Flight, 'network' | 'token' | 'payer' | 'nonce' | 'seller'>

const columnOf =
  <F>(flights: readonly F[]) =>
  (pick: (flight: F) => unknown): unknown[] =>
    flights.map(pick)

/** Locks the payers of these flights in one order, and reads what is known of everybody else. One round trip. */
export async function lockStanding(
  tx: Tx,
  at: Date,
  flights: readonly FlightKey[],
): Promise<Standing> {
  if (flights.length === 0) return { payers: [], waits: [], spent: [], open: [] }
  const column = columnOf(flights)
  const keys = sql`select distinct network, token, payer from unnest(${column((f) => f.network)}::text[],
    ${column((f) => f.token)}::text[], ${column((f) => f.payer)}::text[]) as k (network, token, payer)`
  send(
    tx,
    sql`insert into gas_payers (network, token, payer, used_at)
      select network, token, payer, ${at}::timestamptz from (${keys}) k order by 1, 2, 3 on conflict do nothing`,
  )
  const [payers, others] = await Promise.all([
    all<PayerRow>(
      tx,
      sql`select p.network, p.token, p.payer, p.in_flight, p.balance, p.seen_block, p.freed_block
        from gas_payers p join (${keys}) k using (network, token, payer) order by 1, 2, 3 for update of p`,
    ),
    readOthers(tx, at, flights),
  ])
  return { payers, ...others }
}

/** As `lockStanding`, for an answer that reserves nothing: a payer that is not known yet has a row of its own. */
export async function findStanding(
  on: Reader,
  at: Date,
  flights: readonly FlightKey[],
): Promise<Standing> {
  const column = columnOf(flights)
  const [payers, others] = await Promise.all([
    all<PayerRow>(
      on,
      sql`select network, token, payer, in_flight, balance, seen_block, freed_block from gas_payers
        where (network, token, payer) in (select * from unnest(${column((f) => f.network)}::text[],
          ${column((f) => f.token)}::text[], ${column((f) => f.payer)}::text[]))`,
    ),
    readOthers(on, at, flights),
  ])
  return { payers: [...flights.map(newPayer), ...payers], ...others }
}

const newPayer = ({ network, token, payer }: FlightKey): PayerRow => ({
  network,
  token,
  payer,
  inFlight: 0n,
  balance: 0n,
  seenBlock: 0n,
  freedBlock: 0n,
})

async function readOthers(
  on: Reader,
  at: Date,
  flights: readonly FlightKey[],
): Promise<Omit<Standing, 'payers'>> {
  const column = columnOf(flights)
  const unique = (pick: (flight: FlightKey) => string) => [...new Set(flights.map(pick))]
  const [waits, spent, open] = await Promise.all([
    all<WaitRow>(
      on,
      sql`select kind, subject, failures, failed_at from gas_waits where failures > 0
        and ((kind = 'payer' and subject = any(${unique((f) => f.payer)}::text[]))
          or (kind = 'token' and subject = any(${unique((f) => f.token)}::text[]))
          or (kind = 'seller' and subject = any(${unique((f) => f.seller)}::text[])))`,
    ),
    all<Standing['spent'][number]>(
      on,
      sql`select s.seller, coalesce(b.spent, 0) + coalesce(f.gas, 0)::bigint as spent
        from unnest(${unique((f) => f.seller)}::text[]) as s (seller)
        left join gas_budgets b on b.seller = s.seller and b.day = ${utcDay(at)}::date
        left join lateral (select sum(gas) as gas from gas_flights where seller = s.seller) f on true`,
    ),
    all<Standing['open'][number]>(
      on,
      sql`select network, token, payer, nonce from gas_flights
        where (network, token, payer, nonce) in (select * from unnest(${column((f) => f.network)}::text[],
          ${column((f) => f.token)}::text[], ${column((f) => f.payer)}::text[], ${column((f) => f.nonce)}::text[]))`,
    ),
  ])
  return { waits, spent, open }
}

/** Writes flights down that were decided on under the lock of `lockStanding`, and their payers as they are with them. */
export function insertFlights(
  tx: Tx,
  at: Date,
  { flights, payers }: { flights: readonly Flight[]; payers: readonly PayerRow[] },
): void {
  if (flights.length === 0) return
  const column = columnOf(flights)
  const field = (pick: (row: PayerRow) => unknown) => payers.map(pick)
  send(
    tx,
    sql`update gas_payers p set in_flight = v.in_flight, balance = v.balance, seen_block = v.seen_block, used_at = ${at}
      from unnest(${field((p) => p.network)}::text[], ${field((p) => p.token)}::text[], ${field((p) => p.payer)}::text[],
        ${field((p) => p.inFlight)}::numeric[], ${field((p) => p.balance)}::numeric[], ${field((p) => p.seenBlock)}::bigint[])
        as v (network, token, payer, in_flight, balance, seen_block)
      where (p.network, p.token, p.payer) = (v.network, v.token, v.payer)`,
  )
  send(
    tx,
    sql`insert into gas_flights (ref, network, token, payer, nonce, amount, seller, gas, valid_before)
      select * from unnest(${column((f) => f.ref)}::text[], ${column((f) => f.network)}::text[],
        ${column((f) => f.token)}::text[], ${column((f) => f.payer)}::text[], ${column((f) => f.nonce)}::text[],
        ${column((f) => f.amount)}::numeric[], ${column((f) => f.seller)}::text[], ${column((f) => f.gas)}::bigint[],
        ${column((f) => f.validBefore)}::numeric[])`,
  )
}

/**
 * `settled`: the chain holds it; `failed`: our transaction moved nothing; `unsent`: nothing was sent, so no gas is
 * charged; `over`: it cannot reach the chain any more.
 */
export type FlightOutcome = 'settled' | 'failed' | 'unsent' | 'over'
export type FlightEnd = { ref: string; outcome: FlightOutcome }
type Failed = { payer: string; token: string; seller: string }

/** Ends flights, each once, and charges their gas; one that is unknown has ended before. Returns those that failed on chain. */
export const deleteFlights = (tx: Tx, at: Date, ends: readonly FlightEnd[]): Promise<Failed[]> =>
  all<Failed>(
    tx,
    sql`with gone as (
        delete from gas_flights f using unnest(${ends.map(({ ref }) => ref)}::text[],
          ${ends.map(({ outcome }) => outcome)}::text[]) as e (ref, outcome)
        where f.ref = e.ref returning f.*, e.outcome),
      sums as (
        select g.network, g.token, g.payer, sum(g.amount) as amount, max(s.block_number) as block
        from gone g left join chain_sends s on s.ref = g.ref group by 1, 2, 3),
      locked as (
        select p.network, p.token, p.payer, s.amount, s.block from gas_payers p join sums s using (network, token, payer)
        order by 1, 2, 3 for update of p),
      freed as (
        update gas_payers p set in_flight = p.in_flight - l.amount, freed_block = greatest(p.freed_block, l.block)
        from locked l where (p.network, p.token, p.payer) = (l.network, l.token, l.payer)),
      charged as (
        insert into gas_budgets as b (seller, day, spent)
        select g.seller, ${utcDay(at)}::date, sum(coalesce(s.gas_used, g.gas))::bigint
        from gone g left join chain_sends s on s.ref = g.ref
        where g.outcome <> 'unsent' group by 1 order by 1
        on conflict (seller, day) do update set spent = b.spent + excluded.spent),
      relieved as (
        update gas_waits w set failures = w.failures - 1
        where w.failures > 0 and (w.kind, w.subject) in (
          select v.kind, v.subject from gone g
            cross join lateral (values ('payer', g.payer), ('token', g.token), ('seller', g.seller)) as v (kind, subject)
          where g.outcome = 'settled'))
      select payer, token, seller from gone where outcome = 'failed'`,
  )

/** Counts failures. A subject that has had none for a day begins anew. */
export const countFailures = (tx: Tx, at: Date, failed: readonly Failed[]): Promise<number> =>
  run(
    tx,
    sql`insert into gas_waits as w (kind, subject, failures, failed_at)
      select v.kind, v.subject, count(*), ${at}::timestamptz
      from unnest(${failed.map(({ payer }) => payer)}::text[], ${failed.map(({ token }) => token)}::text[],
          ${failed.map(({ seller }) => seller)}::text[]) as f (payer, token, seller)
        cross join lateral (values ('payer', f.payer), ('token', f.token), ('seller', f.seller)) as v (kind, subject)
      group by 1, 2 order by 1, 2
      on conflict (kind, subject) do update set failed_at = excluded.failed_at,
        failures = excluded.failures + case when w.failed_at < ${at}::timestamptz - interval '1 day' then 0 else w.failures end`,
  )

/** Flights whose authorizations ended before this time, in Unix seconds: no block can hold them any more. */
export const findOverdue = async (on: Reader, before: bigint): Promise<string[]> =>
  (
    await all<{ ref: string }>(
      on,
      sql`select ref from gas_flights where valid_before < ${before}::numeric order by ref limit 1000`,
    )
  ).map(({ ref }) => ref)

/** Deletes what no decision needs any more: payers with nothing on its way, old failures and old days. */
export async function deleteOldBudgets(tx: Tx, at: Date): Promise<void> {
  send(
    tx,
    sql`delete from gas_payers where in_flight = 0 and used_at < ${at}::timestamptz - interval '1 day'`,
  )
  send(
    tx,
    sql`delete from gas_waits where failures = 0 or failed_at < ${at}::timestamptz - interval '2 days'`,
  )
  await run(tx, sql`delete from gas_budgets where day < ${utcDay(at)}::date - 7`)
}

export type RelayerState = {
  address: Address
  /** It has no gas, and gets no sends. */
  isResting: boolean
  /** As last measured; null before. */
  balanceWei: bigint | null
  measuredAt: Date | null
  nextNonce: bigint
  unmined: bigint
}

/** The relayers as the database knows them; one that has never sent or been measured has no row. */
export const findRelayers = (on: Reader, addresses: readonly Address[]): Promise<RelayerState[]> =>
  all(
    on,
    sql`select r.address, r.is_resting, r.balance_wei, r.measured_at, r.next_nonce, count(s.id) as unmined
      from chain_relayers r left join chain_sends s
        on s.relayer = r.address and s.state <> 'mined' and s.nonce is not null
      where r.address = any(${addresses}) group by r.address`,
  )

/** Relayers that may take one more send, those with the fewest unmined sends first. */
export async function findFreeRelayers(
  on: Reader,
  addresses: readonly Address[],
): Promise<Address[]> {
  const rows = await all<{ address: Address }>(
    on,
    sql`select r.address from chain_relayers r left join chain_sends s
        on s.relayer = r.address and s.state <> 'mined' and s.nonce is not null
      where r.address = any(${addresses}) and not r.is_resting
      group by r.address having count(s.id) < ${MAX_IN_FLIGHT} order by count(s.id), random()`,
  )
  return rows.map(({ address }) => address)
}

export const findResting = async (
  on: Reader,
  addresses: readonly Address[],
): Promise<Address[]> => {
  const rows = await all<{ address: Address }>(
    on,
    sql`select address from chain_relayers where address = any(${addresses}) and is_resting`,
  )
  return rows.map(({ address }) => address)
}

export async function hasAllRelayers(on: Reader, addresses: readonly Address[]): Promise<boolean> {
  const known = await all(
    on,
    sql`select 1 from chain_relayers where address = any(${addresses}) limit ${addresses.length}`,
  )
  return known.length === addresses.length
}

/** Gives each relayer a row. */
export const insertRelayers = (tx: Tx, addresses: readonly Address[]): Promise<number> =>
  run(
    tx,
    sql`insert into chain_relayers (address) select unnest(${addresses}::text[]) on conflict do nothing`,
  )

/** Returns how many relayers this woke. */
export const storeAwake = (tx: Tx, addresses: readonly Address[]): Promise<number> =>
  run(
    tx,
    sql`update chain_relayers set is_resting = false where is_resting and address = any(${addresses})`,
  )

/** Returns 1 if the relayer was awake until now. */
export const storeResting = (tx: Tx, address: Address): Promise<number> =>
  run(
    tx,
    sql`update chain_relayers set is_resting = true where address = ${address} and not is_resting`,
  )

export const storeBalance = (
  tx: Tx,
  at: Date,
  { address, balance }: { address: Address; balance: bigint },
): void =>
  send(
    tx,
    sql`insert into chain_relayers (address, balance_wei, measured_at) values (${address}, ${balance}, ${at})
      on conflict (address) do update set balance_wei = excluded.balance_wei, measured_at = excluded.measured_at`,
  )
