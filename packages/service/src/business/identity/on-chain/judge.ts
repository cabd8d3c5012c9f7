import { type Address, type Hex, NOBODY } from '../../../base/kernel/assets.ts'
import { type Sight, uriHashOf, type VaultAct } from '../../../chain/client/identity/vault.ts'
import type { IdentityRow } from '../store.ts'

/** A card's identity as the chain shows it in the newest block and in the newest safe one; undefined before its mint. */
export type View = { latest: Sight | undefined; safe: Sight | undefined }

/** The row as it should be stored, and the act that the vault should do next, if there is one. */
export type Judgement = { row: IdentityRow; act: VaultAct | undefined }

const NO_ATTESTATION: Hex = `0x${'0'.repeat(64)}`

/** Why a token keeps a URI that the service would change: no further change of it is sent by itself. */
export const URI_REFUSED = 'uri_refused'

/** Where the registration file is that the token should name. */
export const registrationUrl = ({ baseUrl, cardId }: Pick<IdentityRow, 'baseUrl' | 'cardId'>) =>
  `${baseUrl}/api/v1/credentials/${cardId}/registration`

/**
 * Decides what is true of an identity and what follows. A mint, a move and a detachment count in a safe block only; an act is
 * not asked for again once the newest block shows it.
 */
export function judge(row: IdentityRow, view: View, vault: Address): Judgement {
  const { safe } = view
  if (row.state === 'FAILED' && !safe) return { row, act: undefined }
  if (!safe) return judgeMint(row, view)
  const seen = seenIn(row, safe, vault)
  if (row.move === 'outside') return { row: seen, act: undefined }
  return row.move === 'release' && seen.custody === 'CUSTODIAL'
    ? judgeRelease(seen, view, vault)
    : judgeOwner(seen, view)
}

/** Before the mint is final. */
function judgeMint(row: IdentityRow, { latest }: View): Judgement {
  if (latest) return { row: { ...row, state: 'MINTED' }, act: undefined }
  const { cardId, ownerWallet: owner } = row
  const act = { kind: 'mint', cardId, uri: registrationUrl(row), owner } as const
  return { row: { ...row, state: 'PENDING' }, act }
}

/** The row with what a safe block shows. */
function seenIn(row: IdentityRow, safe: Sight, vault: Address): IdentityRow {
  return {
    ...row,
    tokenId: safe.tokenId,
    holderAddress: safe.holder,
    isDeployed: safe.isDeployed,
    attestationUid: safe.attestation === NO_ATTESTATION ? null : safe.attestation,
    isAttested: safe.isAttested,
    isNamed: safe.uriHash === uriHashOf(registrationUrl(row)),
    custody: safe.tokenOwner === vault ? 'CUSTODIAL' : 'WITHDRAWN',
  }
}

/** The token goes to its owner, who must be the owner of record before. */
function judgeRelease(row: IdentityRow, { latest }: View, vault: Address): Judgement {
  const released = { ...row, state: 'TRANSFERRING', move: 'release' } as const
  if (!latest || latest.tokenOwner !== vault) return { row: released, act: undefined }
  const kind = latest.owner === row.ownerWallet ? 'release' : 'assign'
  return { row: released, act: actOn(row, latest, { kind, owner: row.ownerWallet }) }
}

/** The token is where it belongs, or it is not; the owner of record follows. */
function judgeOwner(row: IdentityRow, { latest, safe }: View): Judgement {
  const isOut = row.custody === 'WITHDRAWN' && safe?.tokenOwner !== row.ownerWallet
  const owner = isOut ? NOBODY : row.ownerWallet
  const isAssigned = safe?.owner === owner
  const state = isOut ? 'DETACHED' : isAssigned ? 'FINAL' : 'TRANSFERRING'
  const judged = { ...row, state, move: state === 'TRANSFERRING' ? 'assign' : null } as const
  if (latest && isAssigned && state === 'FINAL')
    return { row: judged, act: judgeUri(judged, latest) }
  if (isAssigned || !latest || latest.owner === owner) return { row: judged, act: undefined }
  return { row: judged, act: actOn(row, latest, { kind: 'assign', owner }) }
}

/** A token that the vault keeps is to name the file that is wanted. In a wallet that is its owner's affair. */
function judgeUri(row: IdentityRow, { uriHash, owner, step }: Sight): VaultAct | undefined {
  const uri = registrationUrl(row)
  const isKept = row.custody === 'CUSTODIAL' && owner === row.ownerWallet
  if (!isKept || row.reason === URI_REFUSED || uriHash === uriHashOf(uri)) return undefined
  return { kind: 'setAgentURI', cardId: row.cardId, uri, step: step + 1n }
}

const actOn = (
  { cardId }: IdentityRow,
  { step }: Sight,
  { kind, owner }: { kind: 'assign' | 'release'; owner: Address },
): VaultAct => ({ kind, cardId, owner, step: step + 1n })
