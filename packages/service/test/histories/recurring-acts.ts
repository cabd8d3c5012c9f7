import { randomHex } from '../../src/base/kernel/secrets.ts'
import { chargeAllDue } from '../../src/rails/billing/jobs.ts'
import { present, signed } from '../actors/attack-kit.ts'
import type { Reply } from '../world.ts'
import { type Act, dollars, type Player, pick, type Stage } from './stage.ts'

const DAY_SECONDS = 86_400
const MEMBERSHIP = '/api/membership'
const AGREEMENTS = '/api/billing/agreements'

const otherOf = (s: Stage, p: Player, b: number): Player =>
  s.players[(s.players.indexOf(p) + 1 + (b % (s.players.length - 1))) % s.players.length]!

/** Acts of agreements, memberships, DIRECT links and meters, as callers make them at any time. */
export const RECURRING_ACTS = {
  subscribe: (_: Stage, p: Player, a: number) =>
    p.user.post(`${MEMBERSHIP}/subscribe`, {
      tier: a % 5 ? 'starter' : 'growth',
      billing_period: 'month',
    }),
  changeMembership: (_: Stage, p: Player, a: number) =>
    p.user.post(`${MEMBERSHIP}/${a % 3 ? 'resume' : 'cancel'}`),
  autoRenew: (_: Stage, p: Player, a: number, b: number) =>
    b % 5 === 0
      ? p.user.send('DELETE', `${MEMBERSHIP}/auto-renew`)
      : p.user.post(
          `${MEMBERSHIP}/auto-renew`,
          b % 2 ? { periods: 1 + (a % 2) } : { mode: 'wallet' },
        ),
  /** Two requests with one mandate at once: one makes the agreement. */
  async agree(s: Stage, p: Player, a: number, b: number): Promise<Reply> {
    const card = pick(p.cards, a) ?? { id: 'x', token: 'x' }
    const terms = {
      ...{ payer_card_id: card.id, merchant_wallet: otherOf(s, p, b).user.wallet },
      ...{ amount: dollars(a % 60), trigger_type: 'interval', period_days: 1 + (b % 40) },
    }
    const prepared = await p.user.post(`${AGREEMENTS}/prepare`, terms)
    if (prepared.status !== 200) return prepared
    const { content } = prepared.body
    const asked = { card_id: card.id, card_token: card.token, content }
    const grant = await p.user.post('/api/ap2/open-mandate', asked)
    if (grant.status !== 200) return grant
    const body = { ...terms, card_token: card.token, open_mandate: grant.body.mandate }
    const make = () => p.user.post(AGREEMENTS, body)
    const made = await Promise.all(b % 3 ? [make()] : [make(), make()])
    for (const { status, body } of made) if (status === 200) p.agreements.push(body.agreement.id)
    return made[0]!
  },
  changeAgreement(s: Stage, p: Player, a: number, b: number): Promise<Reply> {
    const by = b % 2 ? p : otherOf(s, p, b)
    const verb = ['pause', 'resume', 'resume', 'cancel'][a % 4]
    const body = verb === 'cancel' && b % 3 ? { at_period_end: true } : undefined
    return by.user.post(`${AGREEMENTS}/${pick(p.agreements, a) ?? 'agr_x'}/${verb}`, body)
  },
  topUp: (_: Stage, p: Player, a: number) =>
    p.user.post('/api/fees/topup', { amount: dollars(a % 90) }),
  async directLink(_: Stage, p: Player, a: number, b: number): Promise<Reply> {
    const issued = await p.user.post('/api/issue', {
      ...{ purpose: 'x', limit_amount: 1, settlement_mode: 'DIRECT' },
    })
    if (issued.status !== 200) return issued
    const terms = { card_id: issued.body.card.id, amount: dollars(a % 90), max_uses: b % 3 }
    const made = await p.user.post('/api/paylinks', terms)
    if (made.status === 200) p.directs.push({ code: made.body.code, amount: terms.amount })
    return made
  },
  /** Pays another player's own wallet, by one authorization that may be presented twice at once. */
  async payDirect(s: Stage, p: Player, a: number, b: number): Promise<Reply> {
    const seller = otherOf(s, p, b)
    const link = pick(seller.directs, a)
    if (!link) return s.w.call('GET', '/api/config')
    const to = seller.user.wallet as `0x${string}`
    const value = BigInt(Math.round(link.amount * 1e6))
    const payment = await signed(s.w, p.user.account, to, value)
    const send = () => present(s.w, link.code, payment)
    const [first] = await Promise.all(a % 3 ? [send()] : [send(), send()])
    return first!
  },
  /** Pays on chain and reports it, to a link that may not be meant. */
  async reportDirect(s: Stage, p: Player, a: number, b: number): Promise<Reply> {
    const seller = otherOf(s, p, b)
    const link = pick(seller.directs, a)
    const asked = await s.w.call('GET', `/api/pay/${link?.code}/prepare`)
    if (!link || !asked.body.direct) return asked
    const { account, wallet } = p.user
    const value = BigInt(Math.round((b % 4 ? link.amount : dollars(a)) * 1e6))
    const tx_hash = await s.w.transfer(account, seller.user.wallet as `0x${string}`, value)
    await s.w.safe()
    const message = asked.body.direct.message.replace('{tx_hash}', tx_hash)
    const signature = b % 5 ? await account.signMessage({ message }) : randomHex(65)
    const body = { tx_hash, from_address: wallet, signature }
    const send = () => s.w.call('POST', `/api/pay/${link.code}/settle`, body)
    const [first] = await Promise.all(b % 3 ? [send()] : [send(), send()])
    return first!
  },
} satisfies Record<string, Act>

/** Lets days pass, and two workers charge what is due. */
export async function passDays({ w }: Stage, count: number): Promise<void> {
  await w.advance(count * DAY_SECONDS)
  await Promise.all([
    chargeAllDue(w.services, w.now()),
    chargeAllDue(w.services, w.now()),
    w.runJobs(),
  ])
}

/**
 * A DIRECT payment counts, unless it is an exception that its sender made, and is below the price, or is worth less than its
 * fee. The fee was that of the tier of its time, so a payment below the highest fee may have counted or not.
 */
const IS_METERED = `((s.exception_id is null or s.nonce is not null
  or s.arrived >= coalesce((select l.amount from pay_links l where l.id = s.pay_link_id), 0))
  and (s.metered_fee is not null
    or least(s.amount, s.arrived) >= (select max(overage_fee) from plans)))`

/** Rows that no act may leave behind, of agreements, memberships, DIRECT settlements and meters. */
export const RECURRING_FAULTS = `
  select 'charges of ' || a.id || ' are not its count' as fault from agreements a where (a.charges_made, a.total_charged) <>
    (select count(*), coalesce(sum(c.amount), 0) from agreement_charges c where c.agreement_id = a.id and c.status = 'SUCCEEDED')
  union all select 'charge left on its way ' || id from agreement_charges where status = 'PENDING'
  union all select 'pull left on its way ' || id from pulls where state in ('requested', 'sent')
  union all select 'revenue is not what members paid' where
    (select coalesce(sum(p.posted), 0) from ledger_house_parts p join ledger_accounts a on a.id = p.account_id
      and a.kind = 'membership_revenue') <> (select coalesce(sum(amount), 0) from membership_payments where undone_at is null)
  union all select 'reserve of a card that is closed ' || c.id from cards c join ledger_accounts a on a.id = c.account_id
    where c.kind = 'autopay' and c.status = 'CLOSED' and a.posted <> 0
  union all select 'usage of ' || u.wallet_address || ' is ' || sum(u.used) from direct_usage u group by u.wallet_address
    having sum(u.used) <> (select count(*) from direct_settlements s where s.wallet_address = u.wallet_address and s.state = 'settled' and ${IS_METERED})
  union all select 'direct payment ' || s.id || ' has ' || count(f.id) || ' fees' from direct_settlements s
    left join direct_fees f on f.settlement_id = s.id and f.reversed_at is null where s.state = 'settled'
    group by s.id having count(f.id) <> ${IS_METERED}::integer
  union all select 'meter of ' || a.owner || ' holds ' || a.posted from ledger_accounts a where a.kind = 'fee_meter'
    and a.posted <> (select coalesce(sum(amount), 0) from meter_topups m where m.wallet_address = a.owner)
      - (select coalesce(sum(amount), 0) from direct_fees f where f.wallet_address = a.owner and f.state = 'paid'
        and f.reversed_at is null)`
