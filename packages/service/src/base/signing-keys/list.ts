import type { Reader } from '../db/sql.ts'
import type { PublicJwk } from '../protocols/ap2/jose/keys.ts'
import type { OkpJwk } from './key-pair.ts'
import { listKeys } from './store.ts'
import { listRequestKeys } from './store-requests.ts'

/** The public part of a key of the service, and what it signs: documents of AP2, or requests to sellers. */
export type ListedKey = {
  kid: string
  jwk: PublicJwk | OkpJwk
  signs: 'documents' | 'requests'
  createdAt: Date
  retiredAt: Date | null
  revokedAt: Date | null
}

/** Every key that signs or has signed for the service: of each kind the newest first. */
export async function listAllKeys(on: Reader): Promise<ListedKey[]> {
  const [documents, requests] = await Promise.all([listKeys(on), listRequestKeys(on)])
  return [
    ...documents.map((key) => ({ ...key, signs: 'documents' as const })),
    ...requests.map(({ sealed: _, ...key }) => ({ ...key, signs: 'requests' as const })),
  ]
}

export const stateOf = ({
  retiredAt,
  revokedAt,
}: Pick<ListedKey, 'retiredAt' | 'revokedAt'>): 'signs' | 'retired' | 'revoked' => {
  if (revokedAt) return 'revoked'
  return retiredAt ? 'retired' : 'signs'
}
