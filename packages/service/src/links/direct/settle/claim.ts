import type { Lane } from '../../../base/db/lanes/lane.ts'
import { assert } from '../../../base/kernel/assert.ts'
import type { Address, Asset, Hex } from '../../../base/kernel/assets.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { gateClosed } from '../../../members/meter/gate.ts'
import { claimUses, type LinkClaim, type UseClaimed } from '../../link/claim-uses.ts'
import type { PayLink } from '../../link/store.ts'
import { openGates } from '../gate.ts'
import { type DirectSettlement, insertDirect } from '../store.ts'
import { worthOf } from '../worth.ts'
import { confirmDirectLater } from './tasks.ts'

/** A signed transfer that was found good. */
export type DirectClaim = LinkClaim & {
  settlement: DirectSettlement & { nonce: Hex; boundBy: 'eip3009' | 'permit2' }
  /** The asset of the sellers' meters. */
  asset: Asset
}

/** The `ref` of a settlement's send. */
export const directRef = (id: string): string => `direct:${id}`
/** The caller of a claim waits less than this for its block. */
const RESUME_SECONDS = 15

/** Claims signed transfers, each once: the claim, a use of the link, the payer's share and the send are one commit. */
export const claimDirectLane: Lane<DirectClaim, UseClaimed> = {
  name: 'claim_direct',
  async run(tx, at, claims) {
    const [first] = claims
    assert(first, 'a batch has claims')
    const { asset } = first
    const wallets = claims.map(({ settlement }) => settlement.walletAddress)
    const outcomes = await claimUses(tx, at, claims, async () => {
      const gates = await openGates(tx, at, { wallets, asset })
      return {
        problemOf({ settlement: { walletAddress } }, link) {
          const moved = movedProblem(link, walletAddress)
          return moved ?? (gates.isOpen(walletAddress) ? undefined : gateClosed())
        },
        onTaken: ({ settlement: { walletAddress, amount } }, link) =>
          gates.count(walletAddress, worthOf({ asset, link }, amount)),
      }
    })
    const fresh = claims.filter((_, i) => outcomes[i]?.kind === 'claimed')
    if (fresh.length === 0) return outcomes
    const settlements = fresh.map(({ settlement }) => settlement)
    const written = await insertDirect(tx, settlements)
    assert(written === fresh.length, 'a claimed authorization has no settlement yet')
    await confirmDirectLater(
      tx,
      settlements.map(({ id }) => id),
      RESUME_SECONDS,
    )
    return outcomes
  },
}

/** Between the look at a payment and its claim the card may have been sold: the money would reach its seller. */
const movedProblem = (link: PayLink, payee: Address): Problem | undefined =>
  link.payTo === payee
    ? undefined
    : new Problem(
        'pay_link_busy',
        'The link has just changed hands, and nothing was sent. Ask for its payment terms again, and sign those.',
      )
