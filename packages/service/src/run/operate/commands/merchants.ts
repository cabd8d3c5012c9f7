import type { Db } from '../../../base/db/sql.ts'
import { normalAddress } from '../../../chain/client/reads.ts'
import {
  assignCategory,
  type CategoryChange,
  listCategories,
  listCategoryChanges,
  type MerchantCategory,
} from '../../../money/cards/merchants/store.ts'
import { noteCommand } from '../command-line.ts'
import { StartError } from '../start-error.ts'

type Books = { db: Db }
const NOTE_MAX = 500

/** The merchant categories that the operator assigned, and every change of them, newest first. */
export type Merchants = {
  categories: readonly MerchantCategory[]
  changes: readonly CategoryChange[]
}

export async function readMerchants({ db }: Books): Promise<Merchants> {
  const [categories, changes] = await Promise.all([
    listCategories(db.reader),
    listCategoryChanges(db.reader),
  ])
  return { categories, changes }
}

/** `set` with a wallet and a category, `remove` with a wallet, each with an optional note; or nothing. */
export function isMerchantsOrder(args: string[]): boolean {
  const flag = args.indexOf('--note')
  const named = flag < 0 ? args : args.slice(0, flag)
  const isNoted = flag < 0 || args.length === flag + 2
  const [verb] = named
  if (verb === undefined) return args.length === 0
  return (
    isNoted && ((verb === 'set' && named.length === 3) || (verb === 'remove' && named.length === 2))
  )
}

/**
 * Assigns a merchant category to a wallet, or removes it if `mcc` is null. It counts from the next payment on. Throws a
 * sentence for an invalid address or category, and if there is no category to remove.
 */
export async function setMerchant(
  books: Books,
  at: Date,
  order: { wallet: string; mcc: string | null; note: string },
): Promise<Merchants> {
  const walletAddress = normalAddress(order.wallet, 'The wallet')
  const { mcc } = order
  const note = order.note.trim()
  if (mcc !== null && !/^\d{4}$/.test(mcc))
    throw new StartError(`${mcc} is no merchant category: give its 4 digits.`)
  if (note.length > NOTE_MAX)
    throw new StartError(`The note may have ${NOTE_MAX} characters at most.`)
  const isKnown = (await listCategories(books.db.reader)).some(
    (one) => one.walletAddress === walletAddress,
  )
  if (mcc === null && !isKnown)
    throw new StartError(
      `${walletAddress} has no category: purser merchants shows the wallets that have one.`,
    )
  await books.db.write(async (tx) => {
    await assignCategory(tx, at, { walletAddress, mcc, note })
    const act = mcc === null ? 'merchant.removed' : 'merchant.set'
    await noteCommand(tx, at, { act, subject: walletAddress, note })
  })
  return readMerchants(books)
}

/** The categories and their changes for a person. */
export const merchantsText = ({ categories, changes }: Merchants): string =>
  [
    ...(categories.length === 0
      ? ['No wallet has a category: a card with mcc_locks pays nobody.']
      : categories.map(({ walletAddress, mcc, note }) => `  ${mcc}  ${walletAddress}  ${note}`)),
    ...(changes.length === 0 ? [] : ['', 'Changes:']),
    ...changes.map(
      ({ changedAt, walletAddress, previous, mcc, note, databaseRole }) =>
        `  ${changedAt.toISOString()}  ${walletAddress}  ${previous ?? 'none'} to ${mcc ?? 'none'}  by ${databaseRole}  ${note}`,
    ),
  ].join('\n')

/** The categories and their changes for a program. */
export const merchantsJson = ({ categories, changes }: Merchants): string =>
  JSON.stringify(
    {
      merchants: categories.map(({ walletAddress, mcc, note, assignedAt }) => ({
        wallet_address: walletAddress,
        mcc,
        note,
        assigned_at: assignedAt.toISOString(),
      })),
      changes: changes.map(({ walletAddress, previous, mcc, note, databaseRole, changedAt }) => ({
        wallet_address: walletAddress,
        previous,
        mcc,
        note,
        database_role: databaseRole,
        changed_at: changedAt.toISOString(),
      })),
    },
    null,
    2,
  )
