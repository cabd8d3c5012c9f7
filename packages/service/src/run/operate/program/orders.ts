import { armFault } from '../../../base/kernel/fault-points.ts'
import { readConfig } from '../../config/config.ts'
import { settingsOf } from '../../config/settings.ts'
import { acknowledgeAlarm, alarmsJson, alarmsText, listAlarms } from '../commands/alarms.ts'
import { feesJson, feesText, isFeesOrder, readFees, setFees } from '../commands/fees.ts'
import {
  isMerchantsOrder,
  merchantsJson,
  merchantsText,
  readMerchants,
  setMerchant,
} from '../commands/merchants.ts'
import { decidePayouts, isDecision, waitingJson, waitingText } from '../commands/payouts/decide.ts'
import {
  orderPayouts,
  PAYOUT_VERBS,
  type PayoutVerb,
  payoutsJson,
  payoutsText,
  readPayouts,
} from '../commands/payouts.ts'
import { isPlansOrder, orderPlans, plansJson, plansText } from '../commands/plans.ts'
import { isSalesOrder, orderSales, salesJson, salesText } from '../commands/sales.ts'
import {
  isSigningOrder,
  listSigningKeys,
  revoke,
  rotate,
  signingKeysJson,
  signingKeysText,
} from '../commands/signing-keys.ts'
import { type Command, printFrom, splitNote } from './command.ts'

const alarms: Command = (words, { host, asJson }) => {
  const [verb, id = '', flag, note = ''] = words
  if (verb !== undefined && (verb !== 'ack' || words.length > 4)) return undefined
  return printFrom(host, async (books) => {
    const shown =
      verb === 'ack'
        ? [await acknowledgeAlarm(books, books.at, { id, note: flag === '--note' ? note : '' })]
        : await listAlarms(books)
    return asJson ? alarmsJson(shown) : alarmsText(shown)
  })
}

const payouts: Command = (words, { host, asJson }) => {
  if (isDecision(words))
    return printFrom(host, async (books) => {
      const waiting = await decidePayouts(books, books.at, splitNote(words))
      return asJson ? waitingJson(books, waiting) : waitingText(books, waiting)
    })
  const [verb, flag, note = ''] = words
  if (verb !== undefined && (!PAYOUT_VERBS.some((one) => one === verb) || words.length > 3))
    return undefined
  return printFrom(host, async (books) => {
    const states = verb
      ? await orderPayouts(books, books.at, {
          kind: verb as PayoutVerb,
          note: flag === '--note' ? note : '',
        })
      : await readPayouts(books)
    return asJson ? payoutsJson(states) : payoutsText(states)
  })
}

const signingKeys: Command = (words, { host, asJson }) => {
  if (!isSigningOrder(words)) return undefined
  const [verb, kid = ''] = words
  return printFrom(host, async (books) => {
    const keys =
      verb === 'rotate'
        ? await rotate(books, books.at)
        : verb === 'revoke'
          ? await revoke(books, books.at, kid)
          : await listSigningKeys(books)
    return asJson ? signingKeysJson(keys) : signingKeysText(keys)
  })
}

const merchants: Command = (all, { host, asJson }) => {
  if (!isMerchantsOrder(all)) return undefined
  const {
    words: [verb, wallet = '', mcc],
    note,
  } = splitNote(all)
  return printFrom(host, async (books) => {
    const shown =
      verb === undefined
        ? await readMerchants(books)
        : await setMerchant(books, books.at, { wallet, mcc: mcc ?? null, note })
    return asJson ? merchantsJson(shown) : merchantsText(shown)
  })
}

const fees: Command = (all, { host, asJson }) => {
  if (!isFeesOrder(all)) return undefined
  const {
    words: [verb, ...words],
    note,
  } = splitNote(all)
  return printFrom(host, async ({ config, at, ...books }) => {
    const shown =
      verb === undefined
        ? await readFees(books, config.fee)
        : await setFees(books, at, { words, note }, config.fee)
    return asJson ? feesJson(shown) : feesText(shown)
  })
}

const plans: Command = (words, { host, asJson }) => {
  if (!isPlansOrder(words)) return undefined
  return printFrom(host, async (books) => {
    const shown = await orderPlans(books, books.at, words)
    return asJson ? plansJson(books, shown) : plansText(books, shown)
  })
}

const sales: Command = (words, { host, asJson }) => {
  if (!isSalesOrder(words)) return undefined
  const config = readConfig(host.env)
  if (config.fault) armFault(config.fault)
  return printFrom(
    host,
    async ({ db, chain, at }) => {
      const books = { db, chain, settings: settingsOf(config, null) }
      const shown = await orderSales(books, at, words)
      return asJson ? salesJson(shown) : salesText(shown)
    },
    config,
  )
}

/** Commands by which an operator looks at the business and decides. */
export const ORDERS: Record<string, Command> = {
  alarms,
  payouts,
  'signing-keys': signingKeys,
  merchants,
  fees,
  plans,
  sales,
}
