import { all, one, type RawBuilder, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'
import { columnOf } from '../../base/db/values.ts'
import type { Amount } from '../../base/kernel/money.ts'
import { PRIVATE_KEYS, privateKeyContext } from '../../base/signing-keys/key-pair.ts'
import { sealedColumn } from '../../base/signing-keys/store-sealed.ts'
import type { Agreement, AgreementStatus, Charge, Party } from './agreement.ts'
import { mandateContext } from './sealed.ts'

const FIELDS = [
  'id',
  'purpose',
  'payerWallet',
  'payerCardId',
  'merchantWallet',
  'payLinkCode',
  'planRef',
  'description',
  'amount',
  'network',
  'asset',
  'triggerType',
  'periodDays',
  'periodMonths',
  'thresholdMetric',
  'thresholdFloor',
  'isArmed',
  'fundingSource',
  'fundingSpender',
  'status',
  'statusReason',
  'pausedBy',
  'cancelAtPeriodEnd',
  'cancelledBy',
  'endsAt',
  'anchor',
  'firstMonth',
  'nextChargeAt',
  'nextAttemptAt',
  'firstFailedAt',
  'lastChargeAt',
  'chargesMade',
  'totalCharged',
  'failureCount',
  'openId',
  'sealedMandate',
  'kid',
  'sealedKey',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof Agreement)[]

const COLUMNS = sql.raw(FIELDS.map(columnOf).join(', '))
const CHARGE =
  sql.raw(`id, agreement_id, period_no, amount, status, attempts, error, settlement_id, pull_ref, created_at,
  updated_at`)

export async function insertAgreement(tx: Tx, agreement: Agreement): Promise<void> {
  const values = FIELDS.map((field) => sql`${agreement[field]}`)
  await sql`insert into agreements (${COLUMNS}) values (${sql.join(values)})`.execute(tx)
}

export const findAgreement = (on: Reader, id: string): Promise<Agreement | undefined> =>
  one<Agreement>(on, sql`select ${COLUMNS} from agreements where id = ${id}`)

/** The agreement, locked until the transaction ends. Agreements are locked by id, before pay links. */
export const lockAgreement = (tx: Tx, id: string): Promise<Agreement | undefined> =>
  one<Agreement>(tx, sql`select ${COLUMNS} from agreements where id = ${id} for update`)

/** The ids of the agreements that the card pays, and of those that pay these links; ended ones too. */
export async function findAgreementsAround(
  on: Reader,
  { cardId, codes }: { cardId: string; codes: readonly string[] },
): Promise<string[]> {
  const rows = await all<{ id: string }>(
    on,
    sql`select id from agreements where payer_card_id = ${cardId}
      union select id from agreements where pay_link_code = any(${codes}::text[])`,
  )
  return rows.map(({ id }) => id)
}

/** Locks these agreements in id order until the transaction ends. */
export const lockAgreements = (tx: Tx, ids: readonly string[]): Promise<Agreement[]> =>
  all<Agreement>(
    tx,
    sql`select ${COLUMNS} from agreements where id = any(${ids}::text[]) order by id for update`,
  )

/** The live membership agreement of a wallet. */
export const findMembershipAgreement = (
  on: Reader,
  wallet: string,
): Promise<Agreement | undefined> =>
  one<Agreement>(
    on,
    sql`select ${COLUMNS} from agreements where payer_wallet = ${wallet} and purpose = 'membership'
      and status in ('ACTIVE', 'PAST_DUE', 'PAUSED')`,
  )

/** The highest floor of a wallet's live threshold agreements, if it has one. */
export async function findThresholdFloor(on: Reader, wallet: string): Promise<Amount | undefined> {
  const row = await one<{ floor: Amount | null }>(
    on,
    sql`select max(threshold_floor) as floor from agreements where payer_wallet = ${wallet}
      and trigger_type = 'threshold' and status in ('ACTIVE', 'PAST_DUE')`,
  )
  return row?.floor ?? undefined
}

/** Stores the fields of locked agreements that may change. */
export async function saveAgreements(tx: Tx, rows: readonly Agreement[]): Promise<void> {
  await saveAgreementsStatement(rows)?.execute(tx)
}

export const saveAgreement = (tx: Tx, agreement: Agreement): Promise<void> =>
  saveAgreements(tx, [agreement])

/** The statement of `saveAgreements`. Undefined when there are no rows. */
export function saveAgreementsStatement(
  rows: readonly Agreement[],
): RawBuilder<unknown> | undefined {
  if (rows.length === 0) return undefined
  const column = (pick: (row: Agreement) => unknown) => rows.map(pick)
  return sql`update agreements a set merchant_wallet = v.merchant_wallet, is_armed = v.is_armed,
      funding_spender = v.funding_spender, status = v.status, status_reason = v.status_reason, paused_by = v.paused_by,
      cancel_at_period_end = v.cancel_at_period_end, cancelled_by = v.cancelled_by, ends_at = v.ends_at,
      next_charge_at = v.next_charge_at,
      next_attempt_at = v.next_attempt_at, first_failed_at = v.first_failed_at, last_charge_at = v.last_charge_at,
      charges_made = v.charges_made, total_charged = v.total_charged, failure_count = v.failure_count,
      updated_at = v.updated_at
    from unnest(${column((r) => r.id)}::text[], ${column((r) => r.merchantWallet)}::text[],
      ${column((r) => r.isArmed)}::boolean[], ${column((r) => r.fundingSpender)}::text[],
      ${column((r) => r.status)}::text[], ${column((r) => r.statusReason)}::text[],
      ${column((r) => r.pausedBy)}::text[], ${column((r) => r.cancelAtPeriodEnd)}::boolean[],
      ${column((r) => r.cancelledBy)}::text[], ${column((r) => r.endsAt)}::timestamptz[],
      ${column((r) => r.nextChargeAt)}::timestamptz[], ${column((r) => r.nextAttemptAt)}::timestamptz[],
      ${column((r) => r.firstFailedAt)}::timestamptz[], ${column((r) => r.lastChargeAt)}::timestamptz[],
      ${column((r) => r.chargesMade)}::integer[], ${column((r) => r.totalCharged)}::numeric[],
      ${column((r) => r.failureCount)}::integer[], ${column((r) => r.updatedAt)}::timestamptz[])
      as v (id, merchant_wallet, is_armed, funding_spender, status, status_reason, paused_by, cancel_at_period_end,
        cancelled_by, ends_at, next_charge_at, next_attempt_at, first_failed_at, last_charge_at, charges_made, total_charged, failure_count,
        updated_at)
    where a.id = v.id`
}

/** Inserts the charge. False if the agreement has one for this period. */
export const insertCharge = async (tx: Tx, charge: Charge): Promise<boolean> =>
  (await run(
    tx,
    sql`${chargesInserted([charge])} on conflict (agreement_id, period_no) do nothing`,
  )) === 1

/** The statement that inserts charges. It fails if one of the agreements has a charge for that period. */
export const insertChargesStatement = (rows: readonly Charge[]): RawBuilder<unknown> | undefined =>
  rows.length === 0 ? undefined : chargesInserted(rows)

function chargesInserted(rows: readonly Charge[]): RawBuilder<unknown> {
  const column = (pick: (row: Charge) => unknown) => rows.map(pick)
  return sql`insert into agreement_charges (${CHARGE})
    select * from unnest(${column((r) => r.id)}::text[], ${column((r) => r.agreementId)}::text[],
      ${column((r) => r.periodNo)}::integer[], ${column((r) => r.amount)}::numeric[],
      ${column((r) => r.status)}::text[], ${column((r) => r.attempts)}::integer[],
      ${column((r) => r.error)}::text[], ${column((r) => r.settlementId)}::text[],
      ${column((r) => r.pullRef)}::text[], ${column((r) => r.createdAt)}::timestamptz[],
      ${column((r) => r.updatedAt)}::timestamptz[])`
}

export const saveCharge = (tx: Tx, charge: Charge): Promise<void> => saveCharges(tx, [charge])

export async function saveCharges(tx: Tx, rows: readonly Charge[]): Promise<void> {
  await saveChargesStatement(rows)?.execute(tx)
}

/** The statement that stores the outcome of charges whose agreements are locked. Undefined when there are no rows. */
export function saveChargesStatement(rows: readonly Charge[]): RawBuilder<unknown> | undefined {
  if (rows.length === 0) return undefined
  const column = (pick: (row: Charge) => unknown) => rows.map(pick)
  return sql`update agreement_charges c set status = v.status, attempts = v.attempts, error = v.error,
      settlement_id = v.settlement_id, pull_ref = v.pull_ref, updated_at = v.updated_at
    from unnest(${column((r) => r.id)}::text[], ${column((r) => r.status)}::text[],
      ${column((r) => r.attempts)}::integer[], ${column((r) => r.error)}::text[],
      ${column((r) => r.settlementId)}::text[], ${column((r) => r.pullRef)}::text[],
      ${column((r) => r.updatedAt)}::timestamptz[])
      as v (id, status, attempts, error, settlement_id, pull_ref, updated_at)
    where c.id = v.id`
}

export const findCharge = (on: Reader, id: string): Promise<Charge | undefined> =>
  one<Charge>(on, sql`select ${CHARGE} from agreement_charges where id = ${id}`)

/** The charge of an agreement that is on its way, as a pull on chain is. */
export const findPendingCharge = (on: Reader, agreementId: string): Promise<Charge | undefined> =>
  one<Charge>(
    on,
    sql`select ${CHARGE} from agreement_charges where agreement_id = ${agreementId} and status = 'PENDING'
      order by id desc limit 1`,
  )

/** The charges of these periods, by agreement; at most one for each. */
export async function findPeriodCharges(
  on: Reader,
  periods: readonly { agreementId: string; periodNo: number }[],
): Promise<Map<string, Charge>> {
  const rows = await all<Charge>(
    on,
    sql`select c.* from unnest(${periods.map((p) => p.agreementId)}::text[],
        ${periods.map((p) => p.periodNo)}::integer[]) as p (agreement_id, period_no),
      lateral (select ${CHARGE} from agreement_charges
        where agreement_id = p.agreement_id and period_no = p.period_no offset 0) c`,
  )
  return new Map(rows.map((row) => [row.agreementId, row]))
}

/** The sealed open mandates of agreements, by the ids of the open mandates. */
export async function findSealedMandates(
  on: Reader,
  openIds: readonly string[],
): Promise<Map<string, Buffer>> {
  if (openIds.length === 0) return new Map()
  const rows = await all<{ openId: string; sealedMandate: Buffer }>(
    on,
    sql`select open_id, sealed_mandate from agreements where open_id = any(${openIds}::text[])`,
  )
  return new Map(rows.map(({ openId, sealedMandate }) => [openId, sealedMandate]))
}

const SHOWN_CHARGES = 100

/** The newest charges of an agreement, at most a hundred. */
export const listCharges = (on: Reader, agreementId: string): Promise<Charge[]> =>
  all<Charge>(
    on,
    sql`select ${CHARGE} from agreement_charges where agreement_id = ${agreementId}
      order by id desc limit ${SHOWN_CHARGES}`,
  )

export type AgreementFilter = {
  walletAddress: string
  /** The only cards whose agreements a restricted key sees; null for all that the wallet pays or is paid. */
  cardIds: readonly string[] | null
  role?: Party | undefined
  status?: AgreementStatus | undefined
  after?: string | undefined
  limit: number
}

/** A wallet's agreements as payer, as merchant or as both, newest first; one more than `limit` if there are more. */
export function listAgreements(on: Reader, filter: AgreementFilter): Promise<Agreement[]> {
  const { walletAddress, cardIds, role, status, after, limit } = filter
  const side = (column: 'payer_wallet' | 'merchant_wallet') =>
    sql`(select ${COLUMNS} from agreements where ${sql.raw(column)} = ${walletAddress}
      and (${cardIds}::text[] is null or ${sql.raw(column)} = payer_wallet and payer_card_id = any(${cardIds}::text[]))
      and (${status ?? null}::text is null or status = ${status ?? null})
      and (${after ?? null}::text is null or id < ${after ?? null}) order by id desc limit ${limit + 1})`
  // No wallet is on both sides of an agreement.
  const both = {
    payer: side('payer_wallet'),
    merchant: side('merchant_wallet'),
    any: sql`${side('payer_wallet')} union all ${side('merchant_wallet')} order by id desc limit ${limit + 1}`,
  }
  return all<Agreement>(on, both[role ?? 'any'] as RawBuilder<Agreement>)
}

/** Agreements of billing that a job must look at, the longest due first, after `last`. Locks nothing. */
export const findDueAgreements = (
  on: Reader,
  at: Date,
  { last, limit }: { last: DuePlace | undefined; limit: number },
): Promise<DuePlace[]> =>
  all<DuePlace>(
    on,
    sql`select id, next_attempt_at from agreements where purpose = 'billing' and next_attempt_at <= ${at}
      and (${last?.id ?? null}::text is null or (next_attempt_at, id) > (${last?.nextAttemptAt ?? null}, ${last?.id ?? null}))
      order by next_attempt_at, id limit ${limit}`,
  )
export type DuePlace = { id: Agreement['id']; nextAttemptAt: Date }

/** Locks those of these agreements that are still due, in id order. One that another transaction has locked is left to it. */
export const lockDueAgreements = (tx: Tx, at: Date, ids: readonly string[]): Promise<Agreement[]> =>
  all<Agreement>(
    tx,
    sql`select ${COLUMNS} from agreements where id = any(${ids}::text[]) and next_attempt_at <= ${at}
      order by id for update skip locked`,
  )

/** The wallet's threshold agreement that may be charged, locked. */
export const lockThresholdAgreement = (tx: Tx, wallet: string): Promise<Agreement | undefined> =>
  one<Agreement>(
    tx,
    sql`select ${COLUMNS} from agreements where payer_wallet = ${wallet} and trigger_type = 'threshold'
      and status in ('ACTIVE', 'PAST_DUE', 'PAUSED') for update`,
  )

/** Whether an agreement is funded by this open mandate, or charged with this key. */
export async function hasAgreementOf(
  on: Reader,
  { openId, kid }: { openId: string; kid: string },
): Promise<boolean> {
  const row = await one<{ found: boolean }>(
    on,
    sql`select exists (select from agreements where open_id = ${openId})
      or exists (select from agreements where kid = ${kid}) as found`,
  )
  return row?.found === true
}

/** Agreements as `a`, and whether one is live, for statements of other rooms. */
export const AGREEMENTS = sql.raw('agreements a')
export const isLiveAgreement = sql.raw(`a.status in ('ACTIVE', 'PAST_DUE', 'PAUSED')`)

const SEALED = { purpose: PRIVATE_KEYS, table: 'agreements', key: ['id'] }

export const sealedFunds = [
  sealedColumn({
    ...SEALED,
    what: 'mandates of agreements',
    column: 'sealed_mandate',
    of: ['open_id'],
    context: mandateContext,
  }),
  sealedColumn({
    ...SEALED,
    what: 'keys of agreements',
    column: 'sealed_key',
    of: ['kid'],
    context: privateKeyContext,
  }),
]
