import type { Uses } from '../../../api/http/services.ts'
import { type FeeRule, feeRuleFor } from '../fees.ts'
import { findDefaultRule } from './store.ts'

/** The fee of a settlement for a wallet without a rule of its own: the default that was set, else the configuration's. */
export const readStandardFee = async ({
  db,
  settings,
}: Uses<'db' | 'settings'>): Promise<FeeRule> =>
  feeRuleFor(await findDefaultRule(db.reader, 'settlement'), settings.fee)
