import { all, type RawBuilder, type Reader, sql, type Tx } from '../../base/db/sql.ts'
import type { Address, Hex } from '../../base/kernel/assets.ts'
import { PERMIT2 } from '../../base/protocols/evm/permit2/abi.ts'
import type { Mechanism } from '../../base/protocols/x402/challenge.ts'

/** A payer's authorization as it is claimed once, whichever way it comes. */
export type AuthorizationKey = {
  network: string
  /** The token; of a Permit2 permit, `PERMIT2`: its nonce belongs to the payer alone. */
  token: Address
  payer: string
  nonce: Hex
}
/** The claim of a settlement of a link, of a DIRECT link, or of another seller's payment. */
export type AuthorizationClaim = AuthorizationKey & {
  kind: 'link' | 'direct' | 'facilitator'
  ref: string
}

/** The contract that remembers the nonce of a signed transfer. */
export const nonceKeeper = (of: { method: Mechanism; token: Address }): Address =>
  of.method === 'eip3009' ? of.token : PERMIT2

/** The claims of authorizations with these nonces. */
export const findAuthorizationClaims = (
  on: Reader,
  keys: readonly Pick<AuthorizationKey, 'network' | 'payer' | 'nonce'>[],
): Promise<AuthorizationClaim[]> =>
  all<AuthorizationClaim>(
    on,
    sql`select network, token, payer, nonce, kind, ref from authorization_claims
      where (network, payer, nonce) in (select * from unnest(${keys.map((key) => key.network)}::text[],
        ${keys.map((key) => key.payer)}::text[], ${keys.map((key) => key.nonce)}::text[]))`,
  )

/**
 * The statement that claims authorizations that were free when they were read. If another transaction has claimed one
 * since, this one runs again.
 */
export function claimAuthorizationsStatement(
  claims: readonly AuthorizationClaim[],
): RawBuilder<unknown> | undefined {
  if (claims.length === 0) return undefined
  const column = (pick: (claim: AuthorizationClaim) => unknown) => claims.map(pick)
  return sql`with claimed as (
      insert into authorization_claims (network, token, payer, nonce, kind, ref)
      select * from unnest(${column((c) => c.network)}::text[], ${column((c) => c.token)}::text[],
        ${column((c) => c.payer)}::text[], ${column((c) => c.nonce)}::text[], ${column((c) => c.kind)}::text[],
        ${column((c) => c.ref)}::text[]) as a (network, token, payer, nonce, kind, ref)
      order by network, payer, nonce, token on conflict do nothing returning 1)
    select refuse_stale((select count(*) from claimed) <> ${claims.length}::bigint)`
}

export async function claimAuthorizations(
  tx: Tx,
  claims: readonly AuthorizationClaim[],
): Promise<void> {
  await claimAuthorizationsStatement(claims)?.execute(tx)
}

/** A condition for another room's statement: something else has claimed the authorization of the row `of`. */
export const isClaimedElsewhere = (of: {
  network: string
  payer: string
  nonce: string
  keeper: RawBuilder<unknown>
  ref: string
}): RawBuilder<boolean> =>
  sql`exists (select from authorization_claims c where c.network = ${sql.ref(of.network)}
    and c.payer = ${sql.ref(of.payer)} and c.nonce = ${sql.ref(of.nonce)} and c.token = ${of.keeper}
    and c.ref <> ${sql.ref(of.ref)})`
