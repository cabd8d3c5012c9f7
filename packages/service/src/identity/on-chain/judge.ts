import type { Sight, VaultAct } from '../../chain/identity/vault.ts'
import type { Address, Hex } from '../../kernel/assets.ts'
import type { Credential } from '../store.ts'

/** A card's identity as the chain shows it in the newest block and in the newest safe one; undefined before its mint. */
export type View = { latest: Sight | undefined; safe: Sight | undefined }

/** The row as it should be stored, and the act that the vault should do next, if there is one. */
export type Judgement = { row: Credential; act: VaultAct | undefined }

export const NOBODY: Address = `0x${'0'.repeat(40)}`
const NO_ATTESTATION: Hex = `0x${'0'.repeat(64)}`

type Place = { vault: Address; uri: string }

/**
 * Decides what is true of an identity and what follows. A mint, a move and a detachment count in a safe block only; an act is
 * not asked for again once the newest block shows it.
 */
export function judge(row: Credential, view: View, place: Place): Judgement {
  const { safe } = view
  if (row.state === 'FAILED' && !safe) return { row, act: undefined }
  if (!safe) return judgeMint(row, view, place)
  const seen = seenIn(row, safe, place.vault)
  if (row.move === 'outside') return { row: seen, act: undefined }
  return row.move === 'release' && seen.custody === 'CUSTODIAL'
    ? judgeRelease(seen, view, place.vault)
    : judgeOwner(seen, view)
}

/** Before the mint is final. */
function judgeMint(row: Credential, { latest }: View, { uri }: Place): Judgement {
  if (latest) return { row: { ...row, state: 'MINTED' }, act: undefined }
  const act = { kind: 'mint', cardId: row.cardId, uri, owner: row.ownerWallet } as const
  return { row: { ...row, state: 'PENDING' }, act }
}

/** The row with what a safe block shows. */
function seenIn(row: Credential, safe: Sight, vault: Address): Credential {
  return {
    ...row,
    tokenId: safe.tokenId,
    holderAddress: safe.holder,
    isDeployed: safe.isDeployed,
    attestationUid: safe.attestation === NO_ATTESTATION ? null : safe.attestation,
    isAttested: safe.isAttested,
    custody: safe.tokenOwner === vault ? 'CUSTODIAL' : 'WITHDRAWN',
  }
}

/** The token goes to its owner, who must be the owner of record before. */
function judgeRelease(row: Credential, { latest }: View, vault: Address): Judgement {
  const released = { ...row, state: 'TRANSFERRING', move: 'release' } as const
  if (!latest || latest.tokenOwner !== vault) return { row: released, act: undefined }
  const kind = latest.owner === row.ownerWallet ? 'release' : 'assign'
  return { row: released, act: actOn(row, latest, { kind, owner: row.ownerWallet }) }
}

/** The token is where it belongs, or it is not; the owner of record follows. */
function judgeOwner(row: Credential, { latest, safe }: View): Judgement {
  const isOut = row.custody === 'WITHDRAWN' && safe?.tokenOwner !== row.ownerWallet
  const owner = isOut ? NOBODY : row.ownerWallet
  const isAssigned = safe?.owner === owner
  const state = isOut ? 'DETACHED' : isAssigned ? 'FINAL' : 'TRANSFERRING'
  const judged = { ...row, state, move: state === 'TRANSFERRING' ? 'assign' : null } as const
  if (isAssigned || !latest || latest.owner === owner) return { row: judged, act: undefined }
  return { row: judged, act: actOn(row, latest, { kind: 'assign', owner }) }
}

const actOn = (
  { cardId }: Credential,
  { step }: Sight,
  { kind, owner }: { kind: 'assign' | 'release'; owner: Address },
): VaultAct => ({ kind, cardId, owner, step: step + 1n })
