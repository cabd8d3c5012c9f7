import type { BuiltEvent } from '../../../../api/events/define.ts'
import { record } from '../../../../api/events/record.ts'
import { paymentFailed } from '../../../../api/events/types/payments.ts'
import type { Uses } from '../../../../api/http/services.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import type { Address, Asset, Hex } from '../../../../base/kernel/assets.ts'
import { reach } from '../../../../base/kernel/fault-points.ts'
import type { Id } from '../../../../base/kernel/ids.ts'
import { nonceOf } from '../../../../chain/client/chain.ts'
import { assetOf, railOf } from '../../../../chain/client/rails.ts'
import { release } from '../../../../chain/relay/gas/reserve.ts'
import { followTransfer, type Life, type Paid } from '../../../../chain/transfers/follow.ts'
import type { ClaimedTransfer } from '../../../../chain/transfers/reads/claimed.ts'
import { TRANSFER_REFUSED } from '../../../../chain/transfers/reads/standing.ts'
import { failSettlement, findSettlement } from '../../../../money/settlements/on-chain/store.ts'
import { settleRef } from '../../../../money/settlements/on-chain/store-confirmations.ts'
import type { LinkSettlement } from '../../../../money/settlements/settlement.ts'
import type { AuthorizedOutcome } from '../../../link/signed-payment.ts'
import { findLinkById, lockLink, type PayLink, saveLinks } from '../../../link/store.ts'
import { settleLane } from './settle-claimed.ts'

const WAIT_MS = 12_000

export type ClaimedPayment = { link: PayLink; settlement: LinkSettlement }

/** The transfer that the payer of a claimed settlement has signed. */
export const transferOf = (
  { chain }: Uses<'chain'>,
  { link, settlement }: ClaimedPayment,
): ClaimedTransfer => ({
  method: 'eip3009',
  token: railOf(chain, settlement.asset).asset.contract,
  payer: settlement.payer as Address,
  payTo: link.payTo,
  amount: settlement.amount,
  nonce: settlement.authNonce as Hex,
  fromBlock: settlement.fromBlock ?? 0n,
})

/** The life of a claimed payment of a link: the money is credited once a block holds it. */
export function lifeOf(
  services: Uses<'chain' | 'db' | 'lanes'>,
  at: Date,
  claimed: ClaimedPayment & { isOurs: boolean },
): Life<AuthorizedOutcome> {
  const { link, settlement, isOurs } = claimed
  return {
    ref: settleRef(settlement.id),
    transfer: transferOf(services, claimed),
    isOurs,
    waitMs: WAIT_MS,
    async onPaid(paid) {
      reach('pay_links.before_settle')
      const { log } = paid
      const isSwept = isSweptBy(paid, settlement.id)
      const arrival = {
        code: link.code,
        settlement,
        asset: assetOf(services.chain, settlement),
        log,
        isSwept,
      }
      const settled = await services.lanes.submit(settleLane, arrival)
      reach('pay_links.after_settle')
      return settled ? { kind: 'settled', ...settled } : readOutcome(services, settlement.id)
    },
    async onRefused() {
      reach('pay_links.before_settle')
      await fail(services, at, settlement)
      return readOutcome(services, settlement.id)
    },
    onOpen: () => readOutcome(services, settlement.id),
  }
}

/** Continues a claimed settlement from wherever it stands. Safe to run twice and at once. */
export async function finishSettlement(
  services: Uses<'chain' | 'db' | 'lanes' | 'relay'>,
  at: Date,
  id: Id<'stl'>,
): Promise<AuthorizedOutcome> {
  const claimed = await readClaimed(services, id)
  if (claimed.settlement.state !== 'settling') return outcomeOf(claimed)
  return followTransfer(services, lifeOf(services, at, { ...claimed, isOurs: false }))
}

const readOutcome = async (services: Uses<'db'>, id: Id<'stl'>): Promise<AuthorizedOutcome> =>
  outcomeOf(await readClaimed(services, id))

async function readClaimed({ db }: Uses<'db'>, id: string): Promise<ClaimedPayment> {
  const settlement = await findSettlement(db.reader, id)
  const link = settlement && (await findLinkById(db.reader, settlement.payLinkId))
  assert(settlement && link, 'a settlement and its link stay')
  return { link, settlement }
}

function outcomeOf({ settlement, link }: ClaimedPayment): AuthorizedOutcome {
  if (settlement.state === 'settled') return { kind: 'settled', settlement, link }
  if (settlement.state === 'settling') return { kind: 'pending', settlement }
  return {
    kind: 'refused',
    reason: 'invalid_exact_evm_transaction_failed',
    detail: settlement.reason ?? 'The transfer failed on chain.',
  }
}

/** Whether the transaction that paid moved the money on to the treasury. */
function isSweptBy(paid: Paid, id: string): boolean {
  if (paid.readBy === 'relay') return typeof paid.sent.logIndexes?.[1] === 'number'
  const sweptBy = nonceOf('sweep', id)
  return paid.own?.transfers.some((log) => log.authNonce === sweptBy) ?? false
}

async function fail(
  services: Uses<'chain' | 'db'>,
  at: Date,
  settlement: LinkSettlement,
): Promise<void> {
  await services.db.write(async (tx) => {
    const found = await findLinkById(tx, settlement.payLinkId)
    const link = found && (await lockLink(tx, at, found.code))
    assert(link, 'the link exists')
    const reason = TRANSFER_REFUSED
    if (!(await failSettlement(tx, settlement.id, reason))) return
    await release(tx, at, [{ ref: settleRef(settlement.id), outcome: 'failed' }])
    await saveLinks(tx, [{ ...link, reserved: link.reserved - 1 }])
    const asset = assetOf(services.chain, settlement)
    await record(tx, at, [failedEvent({ link, settlement, reason, asset })])
  })
}

const failedEvent = ({
  link,
  settlement,
  reason,
  asset,
}: ClaimedPayment & { reason: string; asset: Asset }): BuiltEvent =>
  paymentFailed.of({
    walletAddress: link.walletAddress,
    asset,
    fact: null,
    data: {
      settlement_id: settlement.id,
      transaction_id: null,
      direction: 'received',
      card_id: link.cardId,
      pay_link_code: link.code,
      agreement_id: null,
      rail: settlement.protocol,
      settlement_mode: 'CUSTODIAL',
      amount: settlement.amount,
      fee: settlement.fee,
      net_amount: settlement.amount - settlement.fee,
      tx_hash: null,
      merchant: null,
      payer: settlement.payer,
      reason: 'token_refused',
      detail: reason,
    },
  })
