import { updateInParts } from '../../base/db/in-parts.ts'
import { all, json, one, type RawBuilder, type Reader, sql, type Tx } from '../../base/db/sql.ts'
import type { Address } from '../../base/kernel/assets.ts'
import type { Id } from '../../base/kernel/ids.ts'
import type { Amount } from '../../base/kernel/money.ts'
import type { LinkRail } from '../../base/protocols/rails.ts'
import { tierAt } from '../../members/membership/store.ts'
import { categoryOf } from '../../money/cards/merchants/store.ts'
import { feeRuleOf } from '../../money/settlements/fee-rules/store.ts'
import type { SetRule } from '../../money/settlements/fees.ts'

/** The name of a way to pay a link; `methods/methods.ts` lists the ways. */
export type LinkProtocol = LinkRail
export const LINK_STATUSES = ['ACTIVE', 'EXPIRED', 'CANCELLED', 'COMPLETED'] as const
export type LinkStatus = (typeof LINK_STATUSES)[number]
export type PayLink = {
  id: Id<'pl'>
  code: string
  walletAddress: string
  cardId: string
  network: string
  asset: string
  /** Null: the payer chooses. */
  amount: Amount | null
  /** The least that the payer may choose; null for no least, and where the link has an amount. */
  minAmount: Amount | null
  memo: string
  /** The seller's own word: a label that decides nothing. */
  mcc: string | null
  /** The merchant category that the operator assigned to the seller's wallet. */
  category: string | null
  linkType: 'SINGLE' | 'RECURRING'
  acceptedProtocols: LinkProtocol[]
  status: LinkStatus
  uses: number
  reserved: number
  /** 0: no end. */
  maxUses: number
  /** Where payers on chain send their money: an address of this link alone, or the wallet of a DIRECT card. */
  payTo: Address
  /** The token of a DIRECT link. Null: the link's money is the service's asset, and goes through the books. */
  token: Address | null
  tokenDecimals: number | null
  tokenType: 'ERC20' | 'B20' | null
  metadata: Record<string, string>
  /** Where the keys are of the agents that may pay. Null: anybody pays. */
  allowedAgents: string[] | null
  /** A wallet that has paid gets its receipt again, by sign-in-with-x. */
  payersReturn: boolean
  /** Where the payer's browser is led after the payment, with `{PAYMENT_ID}` to be filled in; null: nowhere. */
  successUrl: string | null
  /** Where the payer goes who does not pay. */
  cancelUrl: string | null
  expiresAt: Date | null
  confirmedAt: Date | null
  createdAt: Date
}
/** A link with the fee rule that counts for its seller's wallet at the moment it was read for. */
export type PricedLink = PayLink & { feeRule: SetRule }

const ruleOf = (walletColumn: string, at: Date) =>
  feeRuleOf(walletColumn, { kind: 'settlement', tierOf: tierAt(at) })

const COLUMNS = sql`${sql.raw(`id, code, wallet_address, card_id, network, asset, amount, min_amount, memo, mcc, link_type, accepted_protocols,
  status, uses, reserved, max_uses, coalesce(deposit_address, wallet_address) as pay_to, token, token_decimals,
  token_type, metadata, allowed_agents, payers_return, success_url, cancel_url, expires_at, confirmed_at, created_at`)},
  ${categoryOf('pay_links.wallet_address')} as category`
const pricedAt = (at: Date) =>
  sql`${COLUMNS}, ${ruleOf('pay_links.wallet_address', at)} as fee_rule`

export async function insertLink(tx: Tx, link: PayLink): Promise<void> {
  await sql`insert into pay_links (id, code, wallet_address, card_id, network, asset, amount, min_amount, memo, mcc,
      link_type, accepted_protocols, max_uses, deposit_address, token, token_decimals, token_type, metadata, allowed_agents, payers_return,
      success_url, cancel_url, expires_at, created_at)
    values (${link.id}, ${link.code}, ${link.walletAddress}, ${link.cardId}, ${link.network}, ${link.asset},
      ${link.amount}, ${link.minAmount}, ${link.memo}, ${link.mcc}, ${link.linkType}, ${link.acceptedProtocols}, ${link.maxUses},
      ${link.token === null ? link.payTo : null}, ${link.token}, ${link.tokenDecimals}, ${link.tokenType},
      ${json(link.metadata)}, ${link.allowedAgents}, ${link.payersReturn},
      ${link.successUrl}, ${link.cancelUrl}, ${link.expiresAt}, ${link.createdAt})`.execute(tx)
}

/** The code as it is stored; callers may send it in any letter case. */
export const normalCode = (code: string): string => code.toUpperCase()

export const findLink = (on: Reader, code: string): Promise<PayLink | undefined> =>
  one<PayLink>(on, sql`select ${COLUMNS} from pay_links where code = ${normalCode(code)}`)

export const findLinkById = (on: Reader, id: string): Promise<PayLink | undefined> =>
  one<PayLink>(on, sql`select ${COLUMNS} from pay_links where id = ${id}`)

export type LinkFilter = {
  walletAddress: string
  /** The cards that the caller may see; null for all. */
  cardIds: readonly string[] | null
  code?: string | undefined
  cardId?: string | undefined
  status?: LinkStatus | undefined
  after?: string | undefined
  limit: number
}

/** The links of a wallet, newest first; one more than `limit` if there are more. */
export function listLinks(on: Reader, at: Date, of: LinkFilter): Promise<PayLink[]> {
  const { after, cardId, code } = of
  return all<PayLink>(
    on,
    sql`select ${COLUMNS} from pay_links where wallet_address = ${of.walletAddress}
      and (${of.cardIds}::text[] is null or card_id = any(${of.cardIds}::text[]))
      ${code === undefined ? sql`` : sql`and code = ${normalCode(code)}`}
      ${cardId === undefined ? sql`` : sql`and card_id = ${cardId}`}
      ${of.status === undefined ? sql`` : isIn(of.status, at)}
      ${after === undefined ? sql`` : sql`and id < ${after}`}
      order by id desc limit ${of.limit + 1}`,
  )
}

/** The row of a link says that it is active for a while after its time has ended. */
function isIn(status: LinkStatus, at: Date) {
  const hasEnded = sql`(status = 'ACTIVE' and expires_at <= ${at})`
  if (status === 'ACTIVE') return sql`and status = 'ACTIVE' and ${hasEnded} is not true`
  return status === 'EXPIRED'
    ? sql`and (status = 'EXPIRED' or ${hasEnded})`
    : sql`and status = ${status}`
}

/** Locks the links of these codes in id order. Links come before cards in every transaction that needs both. */
export async function lockLinks(
  tx: Tx,
  at: Date,
  codes: Iterable<string>,
): Promise<Map<string, PricedLink>> {
  const wanted = [...new Set([...codes].map(normalCode))]
  const links = await all<PricedLink>(
    tx,
    sql`select ${pricedAt(at)} from pay_links where code = any(${wanted}::text[]) order by id for update`,
  )
  return new Map(links.map((link) => [link.code, link]))
}

/** The links of these codes as they stand, not locked. */
export async function readLinks(
  on: Reader,
  at: Date,
  codes: Iterable<string>,
): Promise<Map<string, PricedLink>> {
  const wanted = [...new Set([...codes].map(normalCode))]
  const links = await all<PricedLink>(
    on,
    sql`select ${pricedAt(at)} from pay_links where code = any(${wanted}::text[])`,
  )
  return new Map(links.map((link) => [link.code, link]))
}

/**
 * The statement that counts uses of links, in id order. A link's last use completes it. If a link's status has changed
 * since it was read, or the uses of a link with a maximum, the transaction runs again.
 */
export function countUsesStatement(
  at: Date,
  used: readonly { seen: PayLink; uses: number }[],
): RawBuilder<unknown> | undefined {
  if (used.length === 0) return undefined
  const rows = used.toSorted((a, b) => (a.seen.id < b.seen.id ? -1 : 1))
  const seen = rows.map((row) => row.seen)
  return sql`with counted as (
    update pay_links l set uses = l.uses + v.used, confirmed_at = ${at},
      status = case when l.max_uses > 0 and l.uses + v.used >= l.max_uses then 'COMPLETED' else l.status end
    from unnest(${seen.map((link) => link.id)}::text[], ${rows.map((row) => row.uses)}::integer[],
      ${seen.map((link) => link.status)}::text[], ${seen.map((link) => link.uses)}::integer[],
      ${seen.map((link) => link.reserved)}::integer[]) as v (id, used, status, uses, reserved)
    where l.id = v.id and l.status = v.status
      and (l.max_uses = 0 or (l.uses = v.uses and l.reserved = v.reserved)) returning 1)
    select refuse_stale((select count(*) from counted) <> ${rows.length}::bigint)`
}

/**
 * The statement that fails the transaction if one of these links is not as it was seen in what a payment is decided on,
 * besides the status and uses that `countUsesStatement` compares. Locks nothing.
 */
export function checkLinksStatement(
  at: Date,
  links: readonly PricedLink[],
): RawBuilder<unknown> | undefined {
  if (links.length === 0) return undefined
  const column = (pick: (link: PricedLink) => unknown) => links.map(pick)
  const sellers = [...new Map(links.map((link) => [sellerOf(link), link])).values()]
  return sql`select refuse_stale((select count(*) from pay_links l
      join unnest(${column((l) => l.id)}::text[], ${column((l) => l.cardId)}::text[],
        ${column((l) => l.walletAddress)}::text[], ${column((l) => l.amount)}::numeric[],
        ${column((l) => l.maxUses)}::integer[], ${column((l) => l.expiresAt)}::timestamptz[],
        ${column((l) => l.acceptedProtocols.join(' '))}::text[])
        as v (id, card_id, wallet_address, amount, max_uses, expires_at, protocols) on l.id = v.id
      where l.card_id = v.card_id and l.wallet_address = v.wallet_address and l.amount is not distinct from v.amount
        and l.max_uses = v.max_uses and l.expires_at is not distinct from v.expires_at
        and array_to_string(l.accepted_protocols, ' ') = v.protocols) <> ${links.length}::bigint
    or exists (select from unnest(${sellers.map((l) => l.walletAddress)}::text[], ${sellers.map((l) => l.category)}::text[],
        ${sellers.map((l) => l.feeRule && JSON.stringify(l.feeRule))}::jsonb[]) as s (wallet_address, category, rule)
      where ${categoryOf('s.wallet_address')} is distinct from s.category
        or ${ruleOf('s.wallet_address', at)} is distinct from s.rule))`
}

const sellerOf = ({ walletAddress, category, feeRule }: PricedLink): string =>
  JSON.stringify([walletAddress, category, feeRule])

export async function lockLink(tx: Tx, at: Date, code: string): Promise<PricedLink | undefined> {
  return (await lockLinks(tx, at, [code])).get(normalCode(code))
}

/** Writes what changes of links in use, for locked links. */
export async function saveLinks(tx: Tx, links: PayLink[]): Promise<void> {
  if (links.length === 0) return
  await sql`update pay_links l set status = v.status, uses = v.uses, reserved = v.reserved, confirmed_at = v.confirmed_at
    from unnest(${links.map((l) => l.id)}::text[], ${links.map((l) => l.status)}::text[],
      ${links.map((l) => l.uses)}::integer[], ${links.map((l) => l.reserved)}::integer[],
      ${links.map((l) => l.confirmedAt)}::timestamptz[]) as v (id, status, uses, reserved, confirmed_at)
    where l.id = v.id`.execute(tx)
}

/** Cancels a link for good. */
export async function markCancelled(tx: Tx, at: Date, id: string): Promise<void> {
  await sql`update pay_links set status = 'CANCELLED', cancelled_at = ${at} where id = ${id}`.execute(
    tx,
  )
}

/** The codes of all links of a card, ended ones too, in id order. */
export async function findCodesOfCard(on: Reader, cardId: string): Promise<string[]> {
  const rows = await all<{ code: string }>(
    on,
    sql`select code from pay_links where card_id = ${cardId} order by id`,
  )
  return rows.map(({ code }) => code)
}

/** Locks all links of a card in id order until the transaction ends, and answers their codes. */
export async function lockCodesOfCard(tx: Tx, cardId: string): Promise<string[]> {
  const rows = await all<{ code: string }>(
    tx,
    sql`select code from pay_links where card_id = ${cardId} order by id for update`,
  )
  return rows.map(({ code }) => code)
}

/**
 * Gives the locked links of a card to its new owner, with the money that still comes to their addresses. They no longer lead payers to the
 * pages of the owner before.
 */
export async function moveLinks(tx: Tx, of: { cardId: string; toWallet: string }): Promise<void> {
  await updateInParts(tx, {
    table: 'pay_links',
    set: sql`wallet_address = ${of.toWallet}, success_url = null, cancel_url = null`,
    where: sql`card_id = ${of.cardId}`,
  })
}

/** A digest of the codes that a card's seller offers, and how many. A payment that completes a link leaves it as it is. */
export async function digestCodes(
  on: Reader,
  cardId: string,
): Promise<{ digest: string; count: number }> {
  const row = await one<{ digest: string; count: bigint }>(
    on,
    sql`select encode(sha256(convert_to(coalesce(string_agg(code, ',' order by id), ''), 'UTF8')), 'hex') as digest,
        count(*) from pay_links where card_id = ${cardId} and status in ('ACTIVE', 'COMPLETED')`,
  )
  return { digest: row?.digest ?? '', count: Number(row?.count ?? 0n) }
}

export async function findExpiredLinks(on: Reader, at: Date): Promise<string[]> {
  const rows = await all<{ code: string }>(
    on,
    sql`select code from pay_links where status = 'ACTIVE' and expires_at <= ${at} order by expires_at limit 500`,
  )
  return rows.map((row) => row.code)
}

/** The links, for the joins of other rooms' statements. */
export const LINKS = sql.raw('pay_links l')

/** A condition for another room's statement: the link names its price, or the least that it takes. `linkId` is a column. */
export const namesLeast = (linkId: string): RawBuilder<boolean> =>
  sql`exists (select from pay_links l where l.id = ${sql.ref(linkId)} and coalesce(l.amount, l.min_amount) is not null)`

/** The newest `limit` links of a wallet whose memo has words that begin like these. */
export const linksSaying = (
  walletAddress: string,
  { words, limit }: { words: string; limit: number },
): RawBuilder<unknown> =>
  sql`select l.id from (select id, wallet_address from pay_links
      where words_as_found(wallet_address, memo) @@ words_to_find(${walletAddress}, ${words}) offset 0) l
    where l.wallet_address = ${walletAddress} order by l.id desc limit ${limit}`
