import { Type } from 'typebox'
import { NullableString, OneOf } from '../../api/http/fields.ts'
import type { Settings } from '../../api/http/settings.ts'
import { explorerBaseOf } from '../../chain/client/public/explorer.ts'
import { CHAIN_STATUSES, IDENTITY_STATUSES, type Identity } from './identity.ts'
import { CUSTODIES } from './store.ts'

export const IdentityBody = Type.Object({
  card_id: Type.String({ description: 'Id of the card' }),
  identity_status: OneOf(
    IDENTITY_STATUSES,
    'PENDING: the mint is queued; MINTED: a block holds it; FINAL: no reorganization takes it; TRANSFERRING: it follows a sale or goes to your wallet; DETACHED: its holder moved it; FAILED: ask again',
  ),
  identity_token: NullableString('CAIP-19 id of the identity token; null before its mint is final'),
  holder_address: NullableString('Address that holds the card on chain; null for none'),
  chain_status: OneOf(
    CHAIN_STATUSES,
    'Of the holder account: RESERVED is an address without code yet',
  ),
  attested: Type.Boolean({
    description:
      'Whether a live attestation of the holder account by this service is on chain; read within the last minute',
  }),
  custody: OneOf(
    CUSTODIES,
    'CUSTODIAL: the vault of this service holds the token for you; WITHDRAWN: it is in a wallet',
  ),
  holder_explorer_url: NullableString('The holder account at an explorer; null without one'),
})

type Site = Pick<Settings, 'network' | 'publicUrl' | 'explorerUrl' | 'embeddedRpcUrl'>

export function identityBody(cardId: string, identity: Identity, site: Site) {
  const { holderAddress } = identity
  const base = explorerBaseOf(site.network, site)
  return {
    card_id: cardId,
    identity_status: identity.status,
    identity_token: identity.identityToken,
    holder_address: holderAddress,
    chain_status: identity.chainStatus,
    attested: identity.attested,
    custody: identity.custody,
    holder_explorer_url:
      holderAddress === null || base === '' ? null : `${base}/address/${holderAddress}`,
  }
}
