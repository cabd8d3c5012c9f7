import type { Lane } from '../../../../base/db/lanes/lane.ts'
import type { Tx } from '../../../../base/db/sql.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import type { Address, Asset, Hex } from '../../../../base/kernel/assets.ts'
import { Problem } from '../../../../base/kernel/problem.ts'
import { type GasLimits, openDesk, type Rationed } from '../../../../chain/relay/gas/reserve.ts'
import { type Flight, lockStanding } from '../../../../chain/relay/gas/store.ts'
import { queueSends } from '../../../../chain/relay/send.ts'
import { gateClosed } from '../../../../members/meter/gate.ts'
import {
  type AuthorizationClaim,
  claimAuthorizations,
  findAuthorizationClaims,
  nonceKeeper,
} from '../../../../money/settlements/on-chain/store-authorizations.ts'
import { closedProblem } from '../../link.ts'
import { lockLinks, normalCode, type PayLink, saveLinks } from '../../store.ts'
import { openGates } from '../gate.ts'
import { type DirectSettlement, insertDirect } from '../store.ts'
import { worthOf } from '../worth.ts'
import { confirmDirectLater } from './tasks.ts'

/** A signed transfer that was found good, and the call that submits it. */
export type DirectClaim = {
  code: string
  settlement: DirectSettlement & { nonce: Hex; boundBy: 'eip3009' | 'permit2' }
  call: { to: Address; data: Hex; gas: bigint }
  flight: Omit<
    Flight,
    'ref' | 'gas' | 'seller' | 'amount' | 'nonce' | 'payer' | 'token' | 'network'
  >
  limits: GasLimits
  /** The asset of the sellers' meters. */
  asset: Asset
}
/** `known`: the authorization was claimed before, for whatever. */
export type DirectClaimed =
  | { kind: 'claimed' }
  | { kind: 'known' }
  | { kind: 'rationed'; rationed: Rationed }
  | { kind: 'closed'; problem: Problem }

/** The `ref` of a settlement's send. */
export const directRef = (id: string): string => `direct:${id}`
/** The caller of a claim waits less than this for its block. */
const RESUME_SECONDS = 15

/** Claims signed transfers, each once: the claim, a use of the link, the payer's share and the send are one commit. */
export const claimDirectLane: Lane<DirectClaim, DirectClaimed> = {
  name: 'claim_direct',
  async run(tx, at, claims) {
    const links = await lockLinks(
      tx,
      at,
      claims.map(({ code }) => code),
    )
    const [first] = claims
    assert(first, 'a batch has claims')
    const authorizations = claims.map(authorizationOf)
    const wallets = claims.map(({ settlement }) => settlement.walletAddress)
    const [taken, standing] = await Promise.all([
      findAuthorizationClaims(tx, authorizations),
      lockStanding(tx, at, claims.map(flightOf)),
    ])
    const gates = await openGates(tx, at, { wallets, asset: first.asset })
    const desk = openDesk(standing, at, first.limits)
    const known = new Set(taken.map(keyOf))
    const changed = new Map<string, PayLink>()
    const fresh: DirectClaim[] = []
    const outcomes = claims.map((claim): DirectClaimed => {
      const code = normalCode(claim.code)
      const link = changed.get(code) ?? links.get(code)
      assert(link, 'the link exists')
      const key = keyOf(authorizationOf(claim))
      if (known.has(key)) return { kind: 'known' }
      const { walletAddress } = claim.settlement
      const problem = closedProblem(link, at) ?? movedProblem(link, walletAddress)
      if (problem) return { kind: 'closed', problem }
      if (!gates.isOpen(walletAddress)) return { kind: 'closed', problem: gateClosed() }
      const rationed = desk.decide(flightOf(claim))
      if (rationed) return { kind: 'rationed', rationed }
      const chain = { asset: first.asset }
      gates.count(walletAddress, worthOf({ chain, link }, claim.settlement.amount))
      known.add(key)
      changed.set(code, { ...link, reserved: link.reserved + 1 })
      fresh.push(claim)
      return { kind: 'claimed' }
    })
    desk.save(tx)
    if (fresh.length > 0) await write(tx, at, { fresh, links: [...changed.values()] })
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

const authorizationOf = ({ settlement }: DirectClaim): AuthorizationClaim => {
  const { id, network, payer, nonce, token, boundBy } = settlement
  const keeper = nonceKeeper({ method: boundBy, token })
  return { network, token: keeper, payer, nonce, kind: 'direct', ref: id }
}

const keyOf = (claim: Omit<AuthorizationClaim, 'kind' | 'ref'>): string =>
  [claim.network, claim.token, claim.payer, claim.nonce].join(' ')

const flightOf = ({ settlement, call, flight }: DirectClaim): Flight => {
  const { id, payer, token, amount, nonce, walletAddress } = settlement
  return {
    ...flight,
    ref: directRef(id),
    payer,
    token,
    amount,
    nonce,
    seller: walletAddress,
    gas: call.gas,
    network: settlement.network as Flight['network'],
  }
}

async function write(
  tx: Tx,
  at: Date,
  { fresh, links }: { fresh: DirectClaim[]; links: PayLink[] },
): Promise<void> {
  await claimAuthorizations(tx, fresh.map(authorizationOf))
  const written = await insertDirect(
    tx,
    fresh.map(({ settlement }) => settlement),
  )
  assert(written === fresh.length, 'a claimed authorization has no settlement yet')
  await saveLinks(tx, links)
  await queueSends(
    tx,
    at,
    fresh.map(({ settlement, call }) => ({ ref: directRef(settlement.id), ...call })),
  )
  await confirmDirectLater(
    tx,
    fresh.map(({ settlement }) => settlement.id),
    RESUME_SECONDS,
  )
}
