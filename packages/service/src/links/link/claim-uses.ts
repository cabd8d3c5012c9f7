import type { Tx } from '../../base/db/sql.ts'
import { assert } from '../../base/kernel/assert.ts'
import type { Problem } from '../../base/kernel/problem.ts'
import type { GasLimits, Rationed } from '../../chain/relay/gas/reserve.ts'
import type { Flight } from '../../chain/relay/gas/store.ts'
import { type NewClaim, openClaims } from '../../chain/transfers/claims.ts'
import { closedProblem } from './link.ts'
import { lockLinks, normalCode, type PayLink, type PricedLink, saveLinks } from './store.ts'

/** A signed transfer that pays a link. The seller of its flight is the link's. */
export type LinkClaim = Omit<NewClaim, 'flight'> & {
  code: string
  flight: Omit<Flight, 'seller'>
  limits: GasLimits
}

/** `known`: the authorization was claimed before, for whatever. `rationed`: the link takes it, and it is not carried now. */
export type UseClaimed =
  | { kind: 'claimed'; link: PricedLink }
  | { kind: 'known' }
  | { kind: 'rationed'; rationed: Rationed }
  | { kind: 'closed'; problem: Problem }

/** A method asks this of each claim besides, and counts those that were taken. */
export type Gate<C> = {
  problemOf(claim: C, link: PayLink): Problem | undefined
  onTaken(claim: C, link: PayLink): void
}

/**
 * Claims signed transfers of links, each once, each with a use of its link reserved and its send queued. The caller writes
 * the settlements of those that it claimed. `open` is called once links and payers are locked.
 */
export async function claimUses<C extends LinkClaim>(
  tx: Tx,
  at: Date,
  claims: readonly C[],
  open?: () => Promise<Gate<C>>,
): Promise<UseClaimed[]> {
  const [first] = claims
  assert(first, 'a batch has claims')
  const codes = claims.map(({ code }) => code)
  // Once the links are locked, nobody else can claim the authorization for one of them.
  const links = await lockLinks(tx, at, codes)
  const linkOf = ({ code }: C): PricedLink => {
    const link = links.get(normalCode(code))
    assert(link, 'the link exists')
    return link
  }
  const wanted = claims.map((claim) => ({
    claim,
    asked: { ...claim, flight: { ...claim.flight, seller: linkOf(claim).walletAddress } },
  }))
  const uses = await openClaims(tx, at, {
    claims: wanted.map(({ asked }) => asked),
    limits: first.limits,
  })
  const gate = await open?.()
  const changed = new Map<string, PricedLink>()
  const outcomes = wanted.map(({ claim, asked }): UseClaimed => {
    const link = linkOf(claim)
    if (uses.isKnown(asked)) return { kind: 'known' }
    const problem = closedProblem(link, at) ?? gate?.problemOf(claim, link)
    if (problem) return { kind: 'closed', problem }
    const rationed = uses.take(asked)
    if (rationed) return { kind: 'rationed', rationed }
    gate?.onTaken(claim, link)
    const used = { ...link, reserved: link.reserved + 1 }
    links.set(link.code, used)
    changed.set(link.code, used)
    return { kind: 'claimed', link }
  })
  if (changed.size === 0) return outcomes
  await uses.save()
  await saveLinks(tx, [...changed.values()])
  return outcomes
}
