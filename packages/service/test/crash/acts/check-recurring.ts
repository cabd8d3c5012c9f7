import { balanceOf } from '../chain-wallet.ts'
import { isKept, of, sameList } from './claims.ts'
import type { Member, World } from './moves.ts'
import { CHARGE, PRICE } from './recurring.ts'

/** Lists everything unfinished of agreements, memberships, pulls and DIRECT settlements. */
export const OPEN_RECURRING = `
  select 'charge ' || id from agreement_charges where status = 'PENDING'
  union all select 'agreement ' || id || ' is due' from agreements where next_attempt_at <= now()
  union all select 'pull ' || id || ' ' || state from pulls where not is_safe and state in ('requested', 'sent', 'confirmed')
  union all select 'direct ' || id || ' ' || state from direct_settlements
    where state = 'settling' or (state = 'settled' and not is_final)`

/** Each period was charged once, each DIRECT payment recorded and metered once, and the meters agree with the books. */
export async function checkRecurring(world: World): Promise<string[]> {
  const groups = await Promise.all([
    checkAgreements(world),
    checkMembers(world),
    checkDirect(world),
    world.stage.query<{ fault: string }>(FAULTS).then((rows) => rows.map(({ fault }) => fault)),
  ])
  return groups.flat()
}

const ids = async ({ stage }: World, text: string): Promise<string[]> =>
  (await stage.query<{ id: string }>(text)).map(({ id }) => id)

async function checkAgreements(world: World): Promise<string[]> {
  const promised = of(world, 'agree').filter(isKept)
  const rows = await world.stage.query<{ id: string; found: string }>(
    `select a.id, a.status || ' ' || a.charges_made || ' ' || a.total_charged || ' ' || (
        select coalesce(string_agg(c.period_no || c.status, ' ' order by c.period_no), '') from agreement_charges c
        join settlements s on s.id = c.settlement_id and s.state = 'settled' and s.amount = c.amount
        where c.agreement_id = a.id) as found
      from agreements a where a.purpose = 'billing'`,
  )
  const found = new Map(rows.map((row) => [row.id, row.found]))
  return [
    ...sameList(
      'agreement',
      promised.map(({ outcome }) => outcome.reply.body.agreement.id),
      [...found.keys()],
    ),
    ...world.agreements.all.flatMap(({ id, charges }) => {
      const periods = Array.from({ length: charges }, (_, i) => `${i + 1}SUCCEEDED`).join(' ')
      const due = `ACTIVE ${charges} ${CHARGE * BigInt(charges)} ${periods}`
      return found.get(id) === due ? [] : [`agreement ${id} must be ${due}, is ${found.get(id)}`]
    }),
  ]
}

const allMembers = ({ members }: World): Member[] =>
  Object.values(members).flatMap(({ all }) => all)

async function checkMembers(world: World): Promise<string[]> {
  const rows = await world.stage.query<{ wallet: string; found: string }>(
    `select m.wallet_address as wallet, m.status || ' ' || count(*) || ' ' || sum(p.amount) || ' '
        || (m.current_period_end = max(p.period_end)) || ' ' || (max(p.period_end) = m.anchor + count(*) * interval '1 month')
        as found
      from memberships m join membership_payments p using (wallet_address) where p.undone_at is null
      group by m.wallet_address`,
  )
  const found = new Map(rows.map((row) => [row.wallet, row.found]))
  const checks = allMembers(world).map(async ({ wallet, periods, mode, kept }) => {
    const due = `ACTIVE ${periods} ${PRICE * BigInt(periods)} true true`
    const is = found.get(wallet.address)
    const paid = mode === 'allowance' ? PRICE * BigInt(periods - 1) : 0n
    const left = await balanceOf(world.stage.rpcUrl, wallet.address)
    return [
      ...(is === due ? [] : [`the membership of ${wallet.address} must be ${due}, is ${is}`]),
      ...(mode !== 'allowance' || left === kept - paid
        ? []
        : [`${wallet.address} has ${left} on chain, and ${kept - paid} must be left`]),
    ]
  })
  return (await Promise.all(checks)).flat()
}

/** The money that pulls brought to the treasury, by what the wallets have less. */
export async function pulledMoney(world: World): Promise<bigint> {
  const pulled = allMembers(world).map(async ({ mode, wallet, kept }) =>
    mode === 'allowance' ? kept - (await balanceOf(world.stage.rpcUrl, wallet.address)) : 0n,
  )
  return (await Promise.all(pulled)).reduce((sum, value) => sum + value, 0n)
}

async function checkDirect(world: World): Promise<string[]> {
  const settled = (protocol: string, column: string) =>
    ids(
      world,
      `select ${column} as id from direct_settlements where protocol = '${protocol}' and state = 'settled'`,
    )
  const kept = (act: 'directByX402' | 'directByHash') => of(world, act).filter(isKept)
  const topUps = of(world, 'topUp').filter(isKept)
  const [made] = await world.stage.query<{ n: number }>(
    'select count(*)::int as n from meter_topups where amount = $1',
    [String(topUps[0]?.value ?? 0n)],
  )
  return [
    ...sameList(
      'direct nonce',
      kept('directByX402').map(({ ref }) => ref),
      await settled('x402', 'nonce'),
    ),
    ...sameList(
      'direct settlement by x402',
      kept('directByX402').map(({ outcome }) => outcome.reply.body.settlement_id),
      await settled('x402', 'id'),
    ),
    ...sameList(
      'reported transfer',
      kept('directByHash').map(({ ref }) => ref),
      await settled('onchain', 'tx_hash'),
    ),
    ...(made?.n === topUps.length ? [] : [`${topUps.length} top-ups were kept, ${made?.n} made`]),
  ]
}

/** Rows that are wrong whoever asked for them. */
const FAULTS = `
  select 'payment of ' || p.wallet_address || ' is paid by ' || count(t.id) as fault from membership_payments p
    left join ledger_transfers t on (t.kind, t.ref) in (('membership', p.id), ('pull', p.charge_id))
    group by p.id, p.wallet_address having count(t.id) <> 1
  union all select 'a pull without a payment ' || id from pulls l where state = 'confirmed'
    and not exists (select from membership_payments p where p.charge_id = l.id and p.amount = l.amount)
  union all select 'pull ' || id || ' ended as ' || state from pulls where state <> 'confirmed'
  union all select 'charge ' || id || ' failed: ' || error from agreement_charges where status = 'FAILED'
  union all select 'direct payment ' || id || ' ended as ' || state || ': ' || coalesce(reason, '') from direct_settlements
    where state <> 'settled' or exception_id is not null
  union all select 'usage of ' || u.wallet_address || ' is ' || u.used from direct_usage u where u.used <>
    (select count(*) from direct_settlements s where s.wallet_address = u.wallet_address and s.state = 'settled')
  union all select 'direct payment ' || s.id || ' has ' || count(f.id) || ' fees' from direct_settlements s
    left join direct_fees f on f.settlement_id = s.id and f.reversed_at is null group by s.id having count(f.id) <> 1
  union all select 'a fee is owed: ' || id from direct_fees where state = 'owed'
  union all select 'free beyond the quota: ' || wallet_address from direct_fees f where state = 'free' group by wallet_address, month
    having count(*) <> least(count(*), (select max(direct_quota) from plans where tier = 'starter'))
  union all select 'meter of ' || a.owner || ' holds ' || a.posted from ledger_accounts a where a.kind = 'fee_meter'
    and a.posted <> (select coalesce(sum(amount), 0) from meter_topups m where m.wallet_address = a.owner)
      - (select coalesce(sum(amount), 0) from direct_fees f where f.wallet_address = a.owner and f.state = 'paid'
        and f.reversed_at is null)`
