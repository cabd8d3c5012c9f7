import type { Hex } from '../../base/kernel/assets.ts'
import type { Amount } from '../../base/kernel/money.ts'
import { sha256 } from '../../base/kernel/secrets.ts'
import type { TransferAuthorization } from '../../base/protocols/evm/eip3009/authorization.ts'
import type { GoodSignature } from '../../chain/client/accounts/judge-signature.ts'
import { refusalOfRation } from '../../chain/relay/gas/relayer-gas.ts'
import type { Rationed } from '../../chain/relay/gas/reserve.ts'
import type { LinkSettlement } from '../../money/settlements/settlement.ts'
import type { PayLink } from './store.ts'

/** The state of a payment. A refused one may be tried again with another authorization; a pending one must not. */
export type AuthorizedOutcome =
  | {
      kind: 'settled'
      settlement: LinkSettlement
      link: PayLink
      /** The metered fee of a DIRECT settlement, in the service's asset. */
      meteredFee?: Amount | null
    }
  /** Without a settlement if someone else submitted the transfer and its block is not safe yet. */
  | { kind: 'pending'; settlement: LinkSettlement | null }
  /** `reason` is x402's name on every protocol. `headers` say when the same payment may be tried again. */
  | { kind: 'refused'; reason: string; detail: string; headers?: Record<string, string> }

/** A transfer to a link's own address that its payer has signed and its protocol has accepted. */
export type AuthorizedPayment = {
  link: PayLink
  protocol: 'x402' | 'mpp'
  authorization: TransferAuthorization
  /** The signature as it was presented, then as it was checked. */
  signature: Hex
  signed: GoodSignature
  /** The newest block when the authorization was checked. */
  head: bigint
}

/** The refusal of an authorization whose nonce pays for something else. */
export const USED_ELSEWHERE = {
  kind: 'refused',
  reason: 'duplicate_settlement',
  detail: 'The nonce of this authorization has been used for another payment.',
} as const

/** Nothing was claimed or sent: the same payment may be presented again after a while. */
export function refusedByRation(rationed: Rationed): AuthorizedOutcome {
  const { code, detail, headers } = refusalOfRation(rationed)
  return { kind: 'refused', reason: code, detail, headers }
}

/** The digest by which a signature is recognized again. */
export const signatureDigest = (signature: Hex): Buffer => sha256(signature.toLowerCase())
