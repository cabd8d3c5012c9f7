import { setTimeout as sleep } from 'node:timers/promises'
import type { Uses } from '../../../api/http/services.ts'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import { ZERO } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { railOf } from '../../../chain/client/rails.ts'
import { readTransaction } from '../../../chain/client/reads.ts'
import { release } from '../../../chain/relay/gas/reserve.ts'
import { followTransfer, type Life } from '../../../chain/transfers/follow.ts'
import { creditDeposits } from './deposit.ts'
import { type DepositAuthorization, endAuthorization, findAuthorization } from './store.ts'
import type { Funding } from './verify.ts'

const WAIT_MS = 8_000
const STEP_MS = 250
export const sendRef = (id: string): string => `deposit:${id}`

/** Continues a taken authorization from its current state: send, wait for its block to be safe, credit. */
export async function finishAuthorization(
  services: Uses<'chain' | 'db' | 'relay'>,
  at: Date,
  id: Id<'dep'>,
): Promise<Funding> {
  const row = await findAuthorization(services.db.reader, id)
  if (!row) return PENDING
  if (row.state === 'credited') return { status: 'confirmed', funded: row.amount }
  if (row.state === 'failed') throw failed(row.reason)
  return followTransfer(services, lifeOf(services, at, row))
}

/** The life of a deposit: its wallet is credited at a safe block only, so the chain is always read again. */
export const lifeOf = (
  services: Uses<'chain' | 'db'>,
  at: Date,
  row: DepositAuthorization,
): Life<Funding> => ({
  ref: sendRef(row.id),
  transfer: {
    method: 'eip3009',
    payer: row.walletAddress as Address,
    payTo: services.chain.treasury.address,
    amount: row.amount,
    nonce: row.nonce as Hex,
    fromBlock: row.fromBlock,
    token: railOf(services.chain, row.asset).asset.contract,
  },
  isOurs: false,
  waitMs: WAIT_MS,
  async onPaid({ log: { txHash }, sent }) {
    // From its block on the chain's balance shows the transfer. The rest only waits until the block is safe.
    const outcome = txHash === sent.hash ? 'settled' : 'over'
    await services.db.write((tx) => release(tx, at, [{ ref: sendRef(row.id), outcome }]))
    return creditWhenSafe(services, at, { row, txHash })
  },
  onRefused: () => fail(services, at, row.id),
  onOpen: async () => PENDING,
})

async function creditWhenSafe(
  { chain, db }: Uses<'chain' | 'db'>,
  at: Date,
  { row, txHash }: { row: DepositAuthorization; txHash: Hex },
): Promise<Funding> {
  const rail = railOf(chain, row.asset)
  for (let waited = 0; waited < WAIT_MS; waited += STEP_MS) {
    const mined = await readTransaction(rail, txHash)
    if (mined?.isSafe) {
      reach('funding.before_credit')
      const funded = await db.write(async (tx) => {
        await endAuthorization(tx, row.id, { state: 'credited', reason: null })
        return creditDeposits(tx, at, { rail, walletAddress: row.walletAddress, mined })
      })
      reach('funding.after_credit')
      return { status: 'confirmed', funded }
    }
    await sleep(STEP_MS)
  }
  return PENDING
}

async function fail({ db }: Uses<'db'>, at: Date, id: Id<'dep'>): Promise<never> {
  await db.write(async (tx) => {
    await endAuthorization(tx, id, { state: 'failed', reason: REVERTED })
    await release(tx, at, [{ ref: sendRef(id), outcome: 'failed' }])
  })
  throw failed(REVERTED)
}

const REVERTED =
  'the chain reverted the transfer; the balance may have moved or the authorization been cancelled'
const failed = (reason: string | null): Problem =>
  new Problem('authorization_rejected', `The deposit failed: ${reason}.`)
export const PENDING: Funding = { status: 'pending', funded: ZERO }
