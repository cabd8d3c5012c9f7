import type { Lane } from '../../../../base/db/lanes/lane.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import type { Problem } from '../../../../base/kernel/problem.ts'
import type { Rationed } from '../../../../chain/relay/gas/reserve.ts'
import { resumeSoon } from '../../../../chain/transfers/tasks.ts'
import { type FeeRule, feeFor } from '../../../../money/settlements/fees.ts'
import { insertSettlements } from '../../../../money/settlements/on-chain/store.ts'
import { insertConfirmations } from '../../../../money/settlements/on-chain/store-confirmations.ts'
import type { LinkSettlement } from '../../../../money/settlements/settlement.ts'
import { claimUses, type LinkClaim } from '../../../link/claim-uses.ts'
import { settlementTasks } from '../tasks.ts'

/** A payment that was looked at and found good, with the calls that carry it to the treasury. */
export type Claim = LinkClaim & {
  /** Its fee is decided with the claim. */
  settlement: Omit<LinkSettlement, 'fee'>
  /** The service's own fee, for a seller without a rule of its own. */
  standard: FeeRule
  /** SHA-256 of the payer's signature as it was presented. */
  signatureDigest: Buffer
}
export type ClaimOutcome =
  | { kind: 'claimed'; settlement: LinkSettlement }
  | { kind: 'known' }
  | { kind: 'rationed'; rationed: Rationed }
  | { kind: 'closed'; problem: Problem }

/** Claims many payments at once: each authorization once, each with a use of its link reserved and its send queued. */
export const claimLane: Lane<Claim, ClaimOutcome> = {
  name: 'claim_authorization',
  async run(tx, at, claims) {
    const fresh: (Claim & { settlement: LinkSettlement })[] = []
    const outcomes = (await claimUses(tx, at, claims)).map((outcome, i): ClaimOutcome => {
      const claim = claims[i]
      if (outcome.kind !== 'claimed' || !claim) return outcome as ClaimOutcome
      const { standard } = claim
      const fee = feeFor(claim.settlement.amount, { rule: outcome.link.feeRule, standard })
      const settlement = { ...claim.settlement, fee }
      fresh.push({ ...claim, settlement })
      return { kind: 'claimed', settlement }
    })
    if (fresh.length === 0) return outcomes
    const written = await insertSettlements(
      tx,
      fresh.map(({ settlement }) => settlement),
    )
    assert(written.size === fresh.length, 'no authorization was claimed while its link was locked')
    await insertConfirmations(
      tx,
      at,
      fresh.map(({ settlement: { id }, flight: { validBefore }, signatureDigest }) => ({
        settlementId: id,
        validBefore,
        signatureDigest,
      })),
    )
    await resumeSoon(tx, settlementTasks)
    return outcomes
  },
}
