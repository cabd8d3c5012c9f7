import { record } from '../../../api/events/record.ts'
import { feesChanged } from '../../../api/events/types/fees.ts'
import type { Reader, Tx } from '../../../base/db/sql.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { type FeeKind, type FeeRule, type FeeScope, feeRuleFor } from '../fees.ts'
import { findDefaultRule, findFeeRules, insertFeeRule, type TierOf } from './store.ts'

export type FeeOrder = {
  scope: FeeScope
  /** The tier or the wallet; empty for the default. */
  subject: string
  kind: FeeKind
  /** Null removes the rule. */
  rule: FeeRule | null
  note: string
}
type Given = {
  asset: Asset
  /** The wallet that reads the operator's events. */
  operator: string
  /** The service's own fee, where no rule counts. */
  standard: FeeRule
  tierOf: TierOf
}

const NO_RULE = { bps: null, flat: null }

/**
 * Sets or removes a rule. It counts from the next payment that is decided; what was decided before keeps its fee. The
 * event shows what counts from now on.
 */
export async function setFeeRule(tx: Tx, at: Date, order: FeeOrder, given: Given): Promise<void> {
  const { scope, subject, kind, rule, note } = order
  const values = rule === null ? NO_RULE : { bps: Number(rule.bps), flat: rule.flat }
  await insertFeeRule(tx, { scope, subject, kind, ...values, note, effectiveAt: at })
  const { bps, flat } = rule ?? (await readWithout(tx, order, given))
  await record(tx, at, [
    feesChanged.of({
      walletAddress: scope === 'wallet' ? subject : given.operator,
      asset: given.asset,
      data: {
        scope,
        subject,
        kind,
        bps: Number(bps),
        flat,
        effective_at: at.toISOString(),
      },
    }),
  ])
}

/** The rule that counts in place of one that was removed. */
async function readWithout(
  on: Reader,
  { scope, subject, kind }: FeeOrder,
  { standard, tierOf }: Given,
): Promise<FeeRule> {
  if (scope !== 'wallet') return feeRuleFor(await findDefaultRule(on, kind), standard)
  const rules = await findFeeRules(on, { wallets: [subject], kind, tierOf })
  return feeRuleFor(rules.get(subject) ?? null, standard)
}
