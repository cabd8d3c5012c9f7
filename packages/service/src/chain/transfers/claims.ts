import type { Tx } from '../../base/db/sql.ts'
import type { Mechanism } from '../../base/protocols/x402/challenge.ts'
import { type GasLimits, openBudget, type Rationed } from '../relay/gas/reserve.ts'
import { type Flight, lockStanding } from '../relay/gas/store.ts'
import { queueSends, type Send } from '../relay/send.ts'
import {
  type AuthorizationClaim,
  type AuthorizationKey,
  claimAuthorizations,
  findAuthorizationClaims,
  nonceKeeper,
} from './store.ts'

/** A signed transfer to claim: the settlement that claims it, what it reserves, and the call that submits it. */
export type NewClaim = {
  id: string
  kind: AuthorizationClaim['kind']
  method: Mechanism
  /** Its `ref` is that of the send, and its gas the call's. */
  flight: Flight
  call: Pick<Send, 'to' | 'data'>
}

/**
 * Claims signed transfers one after the other, in one transaction: the authorization once, the payer's money, the gas, and
 * the send. The room's own row of each is written after `save`.
 */
export async function openClaims(
  tx: Tx,
  at: Date,
  { claims, limits }: { claims: readonly NewClaim[]; limits: GasLimits },
): Promise<Claims> {
  const [known, standing] = await Promise.all([
    findAuthorizationClaims(tx, claims.map(authorizationOf)),
    lockStanding(
      tx,
      at,
      claims.map(({ flight }) => flight),
    ),
  ])
  const budget = openBudget(standing, at, limits)
  const taken = new Set(known.map(keyOf))
  const made: NewClaim[] = []
  return {
    isKnown: (claim) => taken.has(keyOf(authorizationOf(claim))),
    take(claim) {
      const rationed = budget.decide(claim.flight)
      if (rationed) return rationed
      taken.add(keyOf(authorizationOf(claim)))
      made.push(claim)
      return undefined
    },
    async save() {
      budget.save(tx)
      await claimAuthorizations(tx, made.map(authorizationOf))
      await queueSends(
        tx,
        at,
        made.map(({ flight: { ref, gas }, call }) => ({ ref, gas, ...call })),
      )
    },
  }
}

type Claims = {
  /** Whether the authorization was claimed before, for whatever. */
  isKnown(claim: NewClaim): boolean
  /** Undefined if it is claimed; otherwise why it is not carried now. */
  take(claim: NewClaim): Rationed | undefined
  /** Writes down what was taken. */
  save(): Promise<void>
}

/** The claim's row: the contract that remembers the nonce, and the settlement. */
export function authorizationOf({
  id: ref,
  kind,
  method,
  flight,
}: Omit<NewClaim, 'call'>): AuthorizationClaim {
  const { network, token, payer, nonce } = flight
  return { network, token: nonceKeeper({ method, token }), payer, nonce, kind, ref }
}

const keyOf = ({ network, token, payer, nonce }: AuthorizationKey): string =>
  [network, token, payer, nonce].join(' ')
