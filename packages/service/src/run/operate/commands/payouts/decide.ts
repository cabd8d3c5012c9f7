import type { Db } from '../../../../base/db/sql.ts'
import { formatAmount } from '../../../../base/kernel/money.ts'
import type { Chain } from '../../../../chain/client/chain.ts'
import {
  approveRequest,
  findMadeRequest,
  rejectRequest,
} from '../../../../money/treasury/withdrawals/approval/request.ts'
import {
  findRequest,
  listRequests,
  type WithdrawalRequest,
} from '../../../../money/treasury/withdrawals/approval/store.ts'
import { railOfPayout } from '../../../../money/treasury/withdrawals/payout/payout.ts'
import { noteCommand } from '../../command-line.ts'
import { StartError } from '../../start-error.ts'
import { readNote } from '../payouts.ts'

type Books = { db: Db; chain: Chain }

/** `list`, or `approve` or `reject` with an id and a note. */
export const isDecision = ([verb, ...rest]: string[]): boolean =>
  verb === 'list' ? rest.length === 0 : (verb === 'approve' || verb === 'reject') && rest.length < 4

/** Decides on a withdrawal that waits, if one is named. Answers those that wait then. */
export async function decidePayouts(
  books: Books,
  at: Date,
  { words: [verb, id = ''], note }: { words: string[]; note: string },
): Promise<WithdrawalRequest[]> {
  if (verb === 'approve' || verb === 'reject') await decide(books, at, { verb, id, note })
  return listRequests(books.db.reader, ['pending'])
}

async function decide(
  { db, chain }: Books,
  at: Date,
  { verb, id, note }: { verb: 'approve' | 'reject'; id: string; note: string },
): Promise<void> {
  const text = readNote(note)
  const request = await findRequest(db.reader, id)
  if (!request) throw new StartError(`No withdrawal ${id} waits: purser payouts list.`)
  const rail = railOfPayout(chain, request)
  // After a restore from a backup, the chain may have paid what the books say is waiting.
  if (verb === 'reject' && (await findMadeRequest(rail, request)))
    throw new StartError(
      `The chain has already paid ${id}: approve it, so that the books say so too.`,
    )
  const decided = await db.write(async (tx) => {
    const done =
      verb === 'approve'
        ? await approveRequest(tx, at, { id: request.id, note: text })
        : await rejectRequest(tx, at, { id: request.id, note: text, asset: rail.asset })
    const act = verb === 'approve' ? 'withdrawal.approved' : 'withdrawal.rejected'
    if (done) await noteCommand(tx, at, { act, subject: id, note: text })
    return done
  })
  if (decided) return
  const now = await findRequest(db.reader, id)
  throw new StartError(
    `${id} was decided before: it is ${now?.state}, with the note "${now?.note}".`,
  )
}

const amountOf = (chain: Chain, request: WithdrawalRequest): string =>
  formatAmount(request.amount, railOfPayout(chain, request).asset.decimals)

/** The withdrawals that wait, for a person. */
export const waitingText = ({ chain }: Books, waiting: readonly WithdrawalRequest[]): string =>
  waiting.length === 0
    ? 'No withdrawal waits for an approval.'
    : waiting
        .map(
          (one) =>
            `${one.id}  ${amountOf(chain, one)} ${one.asset} of ${one.walletAddress} to ${one.toAddress}, since ${one.createdAt.toISOString()}`,
        )
        .join('\n')

/** The same for a program. */
export const waitingJson = ({ chain }: Books, waiting: readonly WithdrawalRequest[]): string =>
  JSON.stringify(
    {
      waiting: waiting.map((one) => ({
        id: one.id,
        wallet_address: one.walletAddress,
        to_address: one.toAddress,
        amount: amountOf(chain, one),
        asset: one.asset,
        created_at: one.createdAt.toISOString(),
      })),
    },
    null,
    2,
  )
