import type { Lane } from '../../../../base/db/lanes/lane.ts'
import type { Tx } from '../../../../base/db/sql.ts'
import { enqueueOne } from '../../../../base/jobs/queue.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import type { Address, Hex, Network } from '../../../../base/kernel/assets.ts'
import type { Problem } from '../../../../base/kernel/problem.ts'
import { callsTogether, MULTICALL3, type OneCall } from '../../../../chain/client/multicall.ts'
import type { Funds } from '../../../../chain/client/transfers/simulate.ts'
import { type GasLimits, openDesk, type Rationed } from '../../../../chain/relay/gas/reserve.ts'
import { type Flight, lockStanding } from '../../../../chain/relay/gas/store.ts'
import { queueSends } from '../../../../chain/relay/send.ts'
import { type FeeRule, feeFor } from '../../../../money/settlements/fees.ts'
import { insertSettlements } from '../../../../money/settlements/on-chain/store.ts'
import {
  type AuthorizationClaim,
  type AuthorizationKey,
  claimAuthorizations,
  findAuthorizationClaims,
} from '../../../../money/settlements/on-chain/store-authorizations.ts'
import {
  insertConfirmations,
  settleRef,
} from '../../../../money/settlements/on-chain/store-confirmations.ts'
import type { LinkSettlement } from '../../../../money/settlements/settlement.ts'
import { closedProblem } from '../../link.ts'
import { lockLinks, normalCode, type PayLink, type PricedLink, saveLinks } from '../../store.ts'
import { maintainSettlementsTask } from '../tasks.ts'

/** A payment that was looked at and found good, with the calls that carry it to the treasury. */
export type Claim = {
  code: string
  /** Its fee is decided with the claim. */
  settlement: Omit<LinkSettlement, 'fee'>
  /** The service's own fee, for a seller without a rule of its own. */
  standard: FeeRule
  /** Unix seconds; the payer's authorization is good before this. */
  validBefore: bigint
  /** The payer's balance, by token. */
  funds: Funds
  token: Address
  limits: GasLimits
  /** SHA-256 of the payer's signature as it was presented. */
  signatureDigest: Buffer
  /** The calls that carry the payment, and its sweep last; and the most gas that they may take together. */
  calls: readonly OneCall[]
  gas: bigint
}
type Claimed = Claim & { settlement: LinkSettlement }
/** `known`: the authorization was claimed before, by whomever. */
export type ClaimOutcome =
  | { kind: 'claimed'; settlement: LinkSettlement }
  | { kind: 'known' }
  /** The link takes it, and it is not carried now. */
  | { kind: 'rationed'; rationed: Rationed }
  | { kind: 'closed'; problem: Problem }

const MAINTAIN_SECONDS = 20

/** Claims of many payments at once: each authorization once, each with a use of its link reserved and its send queued. */
export const claimLane: Lane<Claim, ClaimOutcome> = {
  name: 'claim_authorization',
  async run(tx, at, claims) {
    const links = await lockLinks(
      tx,
      at,
      claims.map(({ code }) => code),
    )
    // The link is locked: nobody else can claim the authorization for it meanwhile.
    const [taken, standing] = await Promise.all([
      findAuthorizationClaims(tx, claims.map(authorizationOf)),
      lockStanding(
        tx,
        at,
        claims.map((claim) => flightOf(claim, links)),
      ),
    ])
    const desk = openDesk(standing, at, claims[0]?.limits ?? { sellerPerDay: null })
    const known = new Set(taken.map(keyOf))
    const changed = new Map<string, PricedLink>()
    const fresh: Claimed[] = []
    const outcomes = claims.map((claim): ClaimOutcome => {
      const code = normalCode(claim.code)
      const link = changed.get(code) ?? links.get(code)
      assert(link, 'the link exists')
      if (known.has(keyOf(authorizationOf(claim)))) return { kind: 'known' }
      const problem = closedProblem(link, at)
      if (problem) return { kind: 'closed', problem }
      const rationed = desk.decide(flightOf(claim, links))
      if (rationed) return { kind: 'rationed', rationed }
      known.add(keyOf(authorizationOf(claim)))
      changed.set(code, { ...link, reserved: link.reserved + 1 })
      const { standard } = claim
      const fee = feeFor(claim.settlement.amount, { rule: link.feeRule, standard })
      const settlement = { ...claim.settlement, fee }
      fresh.push({ ...claim, settlement })
      return { kind: 'claimed', settlement }
    })
    desk.save(tx)
    if (fresh.length > 0) await write(tx, at, { fresh, links: [...changed.values()] })
    return outcomes
  },
}

function flightOf(
  { code, settlement, validBefore, token, funds, gas }: Claim,
  links: ReadonlyMap<string, PayLink>,
): Flight {
  const { id, network, payer, authNonce, amount } = settlement
  return {
    ref: settleRef(id),
    network: network as Network,
    token,
    amount,
    validBefore,
    funds,
    payer: payer as Address,
    nonce: authNonce as Hex,
    seller: links.get(normalCode(code))?.walletAddress ?? '',
    gas,
    isForeignToken: false,
  }
}

const authorizationOf = ({ settlement, token }: Claim): AuthorizationClaim => ({
  network: settlement.network,
  token,
  payer: settlement.payer,
  nonce: settlement.authNonce as Hex,
  kind: 'link',
  ref: settlement.id,
})

const keyOf = ({ network, token, payer, nonce }: AuthorizationKey): string =>
  `${network} ${token} ${payer} ${nonce}`

async function write(
  tx: Tx,
  at: Date,
  { fresh, links }: { fresh: Claimed[]; links: PayLink[] },
): Promise<void> {
  await claimAuthorizations(tx, fresh.map(authorizationOf))
  const written = await insertSettlements(
    tx,
    fresh.map(({ settlement }) => settlement),
  )
  assert(written.size === fresh.length, 'no authorization was claimed while its link was locked')
  await insertConfirmations(
    tx,
    at,
    fresh.map(({ settlement: { id }, validBefore, signatureDigest }) => ({
      settlementId: id,
      validBefore,
      signatureDigest,
    })),
  )
  await saveLinks(tx, links)
  await queueSends(
    tx,
    at,
    fresh.map(({ settlement, calls, gas }) => ({
      ref: settleRef(settlement.id),
      to: MULTICALL3,
      // If somebody else carries the payer's transfer to the chain first, the sweep still follows it.
      data: callsTogether(calls),
      gas,
    })),
  )
  await maintainSettlementsSoon(tx, MAINTAIN_SECONDS)
}

/** Enqueues the job that finishes claims whose callers are gone. */
export const maintainSettlementsSoon = (tx: Tx, delaySeconds: number): Promise<void> =>
  enqueueOne(tx, maintainSettlementsTask, delaySeconds)
