import { openDb } from '../../src/base/db/sql.ts'
import { pause } from '../until.ts'
import { pathFaults } from '../world/paths.ts'
import { checkRecurring, OPEN_RECURRING, pulledMoney } from './acts/check-recurring.ts'
import { describe, isKept, of, sameList } from './acts/claims.ts'
import type { World } from './acts/moves.ts'
import { balanceOf } from './chain-wallet.ts'
import { type Act, STREAM } from './load.ts'
import { PRICE } from './seller.ts'

const LOOK_MS = 250

/** Lists everything unfinished. It must be empty some time after the load has stopped. */
const OPEN = `
  select 'withdrawal ' || id as open from withdrawals where status = 'PROCESSING'
  union all select 'settlement ' || id from settlements where state = 'settling'
  union all select 'facilitated ' || id || ' ' || finality from x402_settlements
    where state = 'settling' or (state = 'settled' and finality <> 'final')
  union all select 'not swept ' || id from settlements where not is_swept and state <> 'settling'
  union all select 'payment ' || id || ' ' || state from outbound_payments
    where state in ('authorized', 'presented', 'captured')
  union all select 'deposit ' || id from deposit_authorizations where state = 'sending'
  union all select 'hold ' || id from ledger_holds where state = 'open'
  union all select 'card ' || id from cards where status = 'PENDING_FUNDING'
  union all select 'transfer ' || tx_hash || ' ' || state from watched_transfers where state in ('seen', 'passed_on')
    and not exists (select from pay_link_logs l where l.tx_hash = watched_transfers.tx_hash)
  union all select 'identity ' || card_id || ' ' || state from identities where state not in ('FINAL', 'DETACHED')
  union all select 'sale ' || listing_id || ' ' || state from sales where state in ('frozen', 'relayed')
  union all select 'send ' || ref || ' ' || state from chain_sends where state <> 'mined' or not is_safe
  union all select 'chain ' || l.id || ' is not counted' from ledger_chains l join stats_cursors c on c.chain = l.id
    where l.seq > c.seq
  union all select kind || ' ' || ref || ' is not counted' from stats_queue
  union all ${OPEN_RECURRING}`

/** Waits until everything is finished. Returns what is unfinished after `timeoutMs`. */
export async function waitUntilFinal(world: World, timeoutMs: number): Promise<string[]> {
  const end = Date.now() + timeoutMs
  for (;;) {
    const rows = await world.stage.query<{ open: string }>(OPEN)
    const left = rows.map(({ open }) => open)
    const unseen = left.length === 0 ? await unseenTransfers(world) : []
    if (left.length + unseen.length === 0 || Date.now() > end) return [...left, ...unseen]
    await pause(LOOK_MS)
  }
}

/** Transfers on chain that the books do not have yet. */
async function unseenTransfers({ stage, claims }: World): Promise<string[]> {
  const credited = await stage.query<{ hash: string }>(
    'select tx_hash as hash from deposits union select tx_hash from pay_link_logs',
  )
  const known = new Set(credited.map(({ hash }) => hash))
  return claims
    .filter(
      ({ act, ref }) => (act === 'depositOnChain' || act === 'linkOnChain') && !known.has(ref),
    )
    .map(({ act, ref }) => `${act} ${ref} is not credited`)
}

/** Runs `verify` as an operator does, and answers its faults. It may run while money moves. */
export async function verifyBooks({ stage }: World): Promise<string[]> {
  const { code, output } = await stage.command(['verify', '--json'])
  return code === 0 ? [] : [`verify ended with ${code}: ${output.slice(0, 2000)}`]
}

/** Checks everything once all is final: each promise was kept exactly once, and the chain agrees with the books. */
export async function checkAll(world: World): Promise<string[]> {
  const groups = await Promise.all([
    checkPromises(world),
    checkDeposits(world),
    checkPayments(world),
    checkMoney(world),
    checkFacilitated(world),
    checkIdentities(world),
    checkRecurring(world),
    checkPaths(world),
  ])
  return [...groups.flat(), ...world.unanswered.map((what) => `never answered: ${what}`)]
}

/** The events of each object came in an order that its states have, whatever died meanwhile. */
async function checkPaths({ stage }: World): Promise<string[]> {
  const db = openDb(stage.env.DATABASE_URL, 1, 'requests', true)
  try {
    return (await pathFaults(db.reader)).map((fault) => `events of ${fault}`)
  } finally {
    await db.close()
  }
}

async function checkPromises(world: World): Promise<string[]> {
  const ids = async (text: string) =>
    (await world.stage.query<{ id: string }>(text)).map(({ id }) => id)
  const promised = (act: Act, id: (body: any) => string) =>
    of(world, act)
      .filter(isKept)
      .map((claim) => id(claim.outcome.reply.body))
  const settled = (protocol: string, column = 'id') =>
    ids(
      `select ${column} as id from settlements where protocol = '${protocol}' and state = 'settled'`,
    )
  const refusable: string[] = ['linkByHash']
  const refused = world.claims.filter((claim) => !isKept(claim) && !refusable.includes(claim.act))
  const unexpected = refused.filter(
    ({ act, outcome: { reply } }) => !(act === 'pay' && isUnpaid(reply)),
  )
  return [
    ...unexpected.map((claim) => `refused: ${describe(claim)}`),
    ...sameList(
      'card',
      promised('issue', (body) => body.card.id),
      await ids(`select id from cards where purpose = 'soak'`),
    ),
    ...(await ids(`select id from cards where status = 'FUNDING_FAILED'`)).map(
      (id) => `card ${id} failed`,
    ),
    ...sameList(
      'settlement by card',
      promised('linkByCard', (body) => body.settlement_id),
      await settled('card'),
    ),
    ...sameList(
      'settlement by x402',
      promised('linkByX402', (body) => body.settlement_id),
      await settled('x402'),
    ),
    ...sameList(
      'x402 nonce',
      of(world, 'linkByX402')
        .filter(isKept)
        .map(({ ref }) => ref),
      await settled('x402', 'auth_nonce'),
    ),
    ...sameList(
      'settlement by mpp',
      [
        ...promised('linkByMpp', (body) => body.settlement_id),
        ...promised('linkByAgentcard', (body) => body.settlement_id),
      ],
      await settled('mpp'),
    ),
    ...sameList(
      'token of a card',
      of(world, 'linkByAgentcard')
        .filter(isKept)
        .map(({ ref }) => ref),
      await ids(`select challenge_id as id from agent_card_tokens where state = 'redeemed'`),
    ),
    ...sameList(
      'facilitated settlement',
      promised('facilitate', (body) => body.extra.settlement_id),
      await ids(`select id from x402_settlements where state = 'settled'`),
    ),
    ...sameList(
      'transfer to a link',
      of(world, 'linkOnChain').map(({ ref }) => ref),
      await settled('onchain', 'tx_hash'),
    ),
    ...sameList(
      'stream',
      of(world, 'stream')
        .filter(isKept)
        .map(({ ref }) => ref),
      await ids(
        `select s.id from mpp_streams s join ledger_holds h on h.id = s.hold_id and h.captured = s.final_amount
          where s.status = 'CLOSED' and s.final_amount = ${STREAM.tick * STREAM.ticks}`,
      ),
    ),
    ...(
      await ids(`select id from mpp_streams where total_ticked <> ${STREAM.tick * STREAM.ticks}`)
    ).map((id) => `stream ${id} lost or doubled a tick`),
    ...sameList(
      'sale',
      promised('sell', (body) => `${body.listing.id} ${body.card.wallet_address}`),
      await ids(
        `select l.id || ' ' || c.wallet_address as id from listings l join sales s on s.listing_id = l.id
          join cards c on c.id = s.card_id and c.owner_no = 1 and c.wallet_address = s.buyer
          where l.status = 'SOLD' and l.mode = 'custodial'`,
      ),
    ),
    ...sameList(
      'sale on chain',
      of(world, 'sellOnChain').map(({ ref }) => ref),
      await ids(
        `select l.id from listings l join sales s on s.listing_id = l.id and s.state = 'done'
          join cards c on c.id = s.card_id and c.owner_no = 1 and c.wallet_address = l.buyer
          where l.status = 'SOLD' and l.mode = 'onchain'`,
      ),
    ),
    ...(await ids(`select id from listings where status <> 'SOLD'`)).map(
      (id) => `listing ${id} was not sold`,
    ),
    ...sameList(
      'withdrawal',
      promised('withdraw', (body) => body.withdrawal_id),
      await ids('select id from withdrawals'),
    ),
    ...(await ids(`select id from withdrawals where status <> 'COMPLETED'`)).map(
      (id) => `withdrawal ${id} failed`,
    ),
  ]
}

async function checkDeposits(world: World): Promise<string[]> {
  const all = await world.stage.query<{ hash: string; ours: boolean }>(
    `select tx_hash as hash, exists (select from chain_attempts a where a.hash = tx_hash) as ours from deposits`,
  )
  // Our relayers' transactions were signed by clients; several sends may share one transaction.
  const rows = all.filter(({ ours }) => !ours)
  const nonces = await world.stage.query<{ nonce: string }>(
    `select nonce from deposit_authorizations where state = 'credited'`,
  )
  const carried = all.length - rows.length
  return [
    ...(carried === nonces.length
      ? []
      : [`${nonces.length} authorizations brought ${carried} deposits`]),
    ...sameList(
      'deposit',
      of(world, 'depositOnChain').map(({ ref }) => ref),
      rows.map(({ hash }) => hash),
    ),
    ...sameList(
      'authorization',
      of(world, 'depositByAuthorization')
        .filter(isKept)
        .map(({ ref }) => ref),
      nonces.map(({ nonce }) => nonce),
    ),
  ]
}

/** Answers that report that nothing was paid and that the money is back on the card. */
const isUnpaid = (reply: { status: number; body: any }): boolean =>
  reply.status === 202 || ['payment_rejected', 'upstream_failed'].includes(reply.body?.code)

/**
 * Each request makes at most one payment, the seller took each payment once, and every payment reported as paid is
 * final.
 */
async function checkPayments(world: World): Promise<string[]> {
  const rows = await world.stage.query<{ id: string; key: string; state: string; nonce: string }>(
    'select id, idempotency_key as key, state, nonce from outbound_payments',
  )
  const faults: string[] = []
  for (const claim of of(world, 'pay')) {
    const mine = rows.filter(({ key }) => key === claim.ref)
    if (mine.length > 1) faults.push(`paid ${mine.length} times: ${describe(claim)}`)
    if (isKept(claim) && mine[0]?.state !== 'final')
      faults.push(`reported as paid, is ${mine[0]?.state}: ${describe(claim)}`)
  }
  const { taken } = world.seller
  for (const { id, nonce, state } of rows) {
    const times = taken.get(nonce) ?? 0
    if (times !== (state === 'final' ? 1 : 0))
      faults.push(`payment ${id} is ${state}, and was taken ${times} times`)
  }
  return faults
}

/** Each settlement reported as settled has been paid once, and no other has been paid. */
async function checkFacilitated(world: World): Promise<string[]> {
  const faults: string[] = []
  for (const claim of of(world, 'facilitate')) {
    const paid = await balanceOf(world.stage.rpcUrl, claim.ref as `0x${string}`)
    if (paid !== (isKept(claim) ? claim.value : 0n))
      faults.push(`was paid ${paid}: ${describe(claim)}`)
  }
  return faults
}

const sum = (values: bigint[]): bigint => values.reduce((total, value) => total + value, 0n)

/**
 * The money that came in, less the money that went out, both counted outside of the service, equals what the books owe
 * and what the chain holds.
 */
async function checkMoney(world: World): Promise<string[]> {
  const { stage, seller, players } = world
  // It adds the figures of cards up from the books too.
  const { code, output } = await stage.command(['verify', '--json'])
  const [books] = JSON.parse(output.slice(output.indexOf('{'))).balances
  const units = (text: string): bigint => {
    const [whole = '0', part = ''] = text.split('.')
    return BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, '0'))
  }
  const came = of(
    world,
    ...(['depositOnChain', 'linkOnChain', 'depositByAuthorization'] as const),
    ...(['linkByX402', 'linkByMpp'] as const),
  )
  const sold = await balanceOf(stage.rpcUrl, seller.payTo)
  const paidOut = sum(await Promise.all(players.map(({ payee }) => balanceOf(stage.rpcUrl, payee))))
  const [{ net = '0' } = {}] = await stage.query<{ net: string }>(
    `select coalesce(sum(net_amount), 0)::text as net from withdrawals where status = 'COMPLETED'`,
  )
  const brought = sum(came.filter(isKept).map(({ value }) => value)) + (await pulledMoney(world))
  const expected = brought - sold - paidOut
  const [owed, onChain] = [units(books.liabilities), units(books.on_chain)]
  const faults = code === 0 ? [] : [`verify ended with ${code}: ${output.slice(0, 2000)}`]
  if (owed !== onChain) faults.push(`the books owe ${owed}, the chain holds ${onChain}`)
  if (owed !== expected) faults.push(`the books owe ${owed}, and ${expected} came and stayed`)
  for (const left of ['difference', 'awaited', 'unclaimed', 'gone_not_booked', 'booked_since'])
    if (books[left] !== '0') faults.push(`verify has ${left}: ${books[left]}`)
  if (BigInt(net) !== paidOut) faults.push(`withdrawals of ${net}, and ${paidOut} was paid out`)
  if (sold !== PRICE * BigInt(seller.taken.size)) faults.push(`the seller holds ${sold}`)
  return faults
}

/** Each promised card has one token, and the vault holds no other. */
async function checkIdentities(world: World): Promise<string[]> {
  const minted = await world.stage.query<{ id: string }>('select card_id as id from identities')
  const promised = of(world, 'mintIdentity').map(({ ref }) => ref)
  const held = await world.stage.tokensOfVault()
  const [{ kept = 0 } = {}] = await world.stage.query<{ kept: number }>(
    `select count(*)::int as kept from identities where custody = 'CUSTODIAL'`,
  )
  return [
    // A sale mints one too, so that there may be more.
    ...promised
      .filter((id) => !minted.some((one) => one.id === id))
      .map((id) => `an identity was promised to ${id}, and is not written`),
    ...(held === BigInt(kept) ? [] : [`the vault holds ${held} tokens for ${kept} identities`]),
  ]
}
