import type { Db, Tx } from '../../../base/db/sql.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { formatAmount, parseAmount } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import type { Chain } from '../../../chain/client/chain.ts'
import { defaultAsset } from '../../../chain/client/rails.ts'
import { normalAddress } from '../../../chain/client/reads.ts'
import { TIERS } from '../../../members/membership/plan.ts'
import { findPlanOverage, readStandings, tierAt } from '../../../members/membership/store.ts'
import { type FeeOrder, setFeeRule } from '../../../money/settlements/fee-rules/set.ts'
import {
  type FeeRuleRow,
  listFeeChanges,
  listFeeRules,
} from '../../../money/settlements/fee-rules/store.ts'
import { FEE_KINDS, type FeeKind, type FeeRule } from '../../../money/settlements/fees.ts'
import { noteCommand } from '../command-line.ts'
import { StartError } from '../start-error.ts'

type Books = { db: Db; chain: Pick<Chain, 'assets'> & { treasury: { address: string } } }
const NOTE_MAX = 500

/** `set`, the owner of the fee, its kind, and one or two amounts or `none`, with an optional note; or nothing. */
export function isFeesOrder(args: string[]): boolean {
  const flag = args.indexOf('--note')
  const named = flag < 0 ? args : args.slice(0, flag)
  const isNoted = flag < 0 || args.length === flag + 2
  return args.length === 0 || (isNoted && named[0] === 'set' && [4, 5].includes(named.length))
}

/** The fees: those of the configuration, the rules that the operator set, and every change of them, newest first. */
export type Fees = {
  asset: Asset
  standard: FeeRule
  rules: readonly FeeRuleRow[]
  changes: readonly FeeRuleRow[]
}

export async function readFees({ db, chain }: Books, standard: FeeRule): Promise<Fees> {
  const [rules, changes] = await Promise.all([listFeeRules(db.reader), listFeeChanges(db.reader)])
  return { asset: defaultAsset(chain), standard, rules, changes }
}

/** The words after `fees set`: whose fee, for what, and how much. */
export type FeesOrder = { words: readonly string[]; note: string }

/**
 * Sets a rule: `default | <tier> | <wallet>`, then the kind, then `<bps> [<flat>]` or `none`. Throws a sentence for an order
 * that means nothing, or that changes nothing.
 */
export async function setFees(
  books: Books,
  at: Date,
  order: FeesOrder,
  standard: FeeRule,
): Promise<Fees> {
  const { treasury } = books.chain
  const asset = defaultAsset(books.chain)
  const read = readOrder(order, asset)
  const before = (await listFeeRules(books.db.reader)).find(
    ({ scope, subject, kind }) =>
      scope === read.scope && subject === read.subject && kind === read.kind,
  )
  if (read.rule === null && (before === undefined || before.bps === null))
    throw new StartError('There is no such rule to remove: purser fees shows those that count.')
  await books.db.write(async (tx) => {
    const without = await readWithout(tx, at, { order: read, standard })
    const given = { asset, operator: treasury.address, standard: without, tierOf: tierAt(at) }
    await setFeeRule(tx, at, read, given)
    await noteCommand(tx, at, {
      act: read.rule === null ? 'fee.removed' : 'fee.set',
      subject: `${read.kind} ${read.subject || read.scope}`,
      note: read.note,
    })
  })
  return readFees(books, standard)
}

/** The fee where no rule counts: that of the configuration, or for an overage that of the plan. */
async function readWithout(
  tx: Tx,
  at: Date,
  { order: { scope, subject, kind }, standard }: { order: FeeOrder; standard: FeeRule },
): Promise<FeeRule> {
  if (kind !== 'direct_overage') return standard
  const standing = (await readStandings(tx, [subject], at)).get(subject)
  const tier = scope === 'tier' ? subject : (standing?.tier ?? 'starter')
  return { bps: 0n, flat: await findPlanOverage(tx, tier) }
}

function readOrder({ words, note }: FeesOrder, asset: Asset): FeeOrder {
  const [whose = '', kindWord = '', rate = '', flat, ...rest] = words
  if (rest.length > 0 || note.trim().length > NOTE_MAX)
    throw new StartError(
      rest.length > 0
        ? `What does "${rest.join(' ')}" mean? An order is: <whose> <kind> <bps> [<flat>].`
        : `The note may have ${NOTE_MAX} characters at most.`,
    )
  const kind = FEE_KINDS.find((one) => one === kindWord)
  if (!kind)
    throw new StartError(`Unknown fee kind "${kindWord}". Use one of: ${FEE_KINDS.join(', ')}.`)
  const rule = rate === 'none' && flat === undefined ? null : ruleOf({ kind, rate, flat, asset })
  return { ...whoseOf(whose), kind, rule, note: note.trim() }
}

function whoseOf(whose: string): Pick<FeeOrder, 'scope' | 'subject'> {
  if (whose === 'default') return { scope: 'default', subject: '' }
  if (TIERS.some((tier) => tier === whose)) return { scope: 'tier', subject: whose }
  if (!/^0x/i.test(whose))
    throw new StartError(
      `"${whose}" is nobody who has a fee: give default, a tier (${TIERS.join(', ')}) or the address of a wallet.`,
    )
  return { scope: 'wallet', subject: normalAddress(whose, 'The wallet') }
}

function ruleOf(of: {
  kind: FeeKind
  rate: string
  flat: string | undefined
  asset: Asset
}): FeeRule {
  const { kind, rate, flat = '0', asset } = of
  if (!/^\d{1,5}$/.test(rate) || Number(rate) > 10_000)
    throw new StartError(
      `"${rate}" is no rate: give basis points, a whole number from 0 to 10000 (50 is 0.5 %), or none.`,
    )
  if (kind === 'direct_overage' && rate !== '0')
    throw new StartError(
      'The overage of a DIRECT settlement is a flat fee: give 0 basis points and the fee, such as 0 0.05.',
    )
  try {
    return { bps: BigInt(rate), flat: parseAmount(flat, asset.decimals, 'The flat fee') }
  } catch (error) {
    if (error instanceof Problem) throw new StartError(error.message)
    throw error
  }
}

const shownRule = ({ bps, flat }: Pick<FeeRuleRow, 'bps' | 'flat'>, asset: Asset): string =>
  bps === null ? 'none' : `${bps} bps + ${formatAmount(flat ?? 0n, asset.decimals)} ${asset.symbol}`

const shownSubject = ({ scope, subject }: FeeRuleRow): string =>
  scope === 'default' ? scope : subject

/** The fees for a person. */
export const feesText = ({ asset, standard, rules, changes }: Fees): string =>
  [
    `By the configuration: ${shownRule({ bps: Number(standard.bps), flat: standard.flat }, asset)}, where no rule below counts.`,
    ...rules
      .filter(({ bps }) => bps !== null)
      .map((rule) => `  ${rule.kind}  ${shownSubject(rule)}  ${shownRule(rule, asset)}`),
    ...(changes.length === 0 ? [] : ['', 'Changes:']),
    ...changes.map(
      (rule) =>
        `  ${rule.effectiveAt.toISOString()}  ${rule.kind}  ${shownSubject(rule)}  ${shownRule(rule, asset)}  by ${rule.databaseRole}  ${rule.note}`,
    ),
  ].join('\n')

const shownRow =
  ({ decimals }: Asset) =>
  (rule: FeeRuleRow) => ({
    scope: rule.scope,
    subject: rule.subject,
    kind: rule.kind,
    bps: rule.bps,
    flat: rule.flat === null ? null : formatAmount(rule.flat, decimals),
    note: rule.note,
    database_role: rule.databaseRole,
    effective_at: rule.effectiveAt.toISOString(),
  })

/** The fees for a program. */
export const feesJson = ({ asset, standard, rules, changes }: Fees): string =>
  JSON.stringify(
    {
      configured: { bps: Number(standard.bps), flat: formatAmount(standard.flat, asset.decimals) },
      rules: rules.filter(({ bps }) => bps !== null).map(shownRow(asset)),
      changes: changes.map(shownRow(asset)),
    },
    null,
    2,
  )
