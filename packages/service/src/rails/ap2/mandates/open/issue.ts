import { record } from '../../../../api/events/record.ts'
import { mandateIssued } from '../../../../api/events/types/mandates.ts'
import type { Tx } from '../../../../base/db/sql.ts'
import { newId } from '../../../../base/kernel/ids.ts'
import type { SealKeys } from '../../../../base/kernel/secrets.ts'
import { makeOpenMandate } from '../../../../base/protocols/ap2/issue/issue.ts'
import { type OpenTerms, openContentOf } from '../../../../base/protocols/ap2/issue/terms.ts'
import type { PublicJwk } from '../../../../base/protocols/ap2/jose/keys.ts'
import type { JsonObject } from '../../../../base/protocols/json.ts'
import type { ServiceSigner } from '../../../../base/signing-keys/signing-keys.ts'
import type { CardWithMoney } from '../../../../money/cards/card.ts'
import { heldAgentKey } from '../../keys/keys.ts'
import { readField, signField } from '../../read-field.ts'
import { nameOf, openMandateOf } from './open-mandate.ts'
import { insertOpenMandate, type OpenMandate } from './store.ts'

type Making = { card: CardWithMoney; signer: ServiceSigner }

/** The content of an open mandate of these terms for this card; without an agent's key the service keeps one. */
export async function contentFor(
  tx: Tx,
  at: Date,
  of: {
    card: CardWithMoney
    terms: Omit<OpenTerms, 'id' | 'agentKey' | 'instruments'>
    agentKey: PublicJwk | undefined
    sealKey: SealKeys
  },
): Promise<JsonObject> {
  const { card, terms, sealKey } = of
  const agentKey = of.agentKey ?? (await heldAgentKey(tx, at, { cardId: card.id, sealKey })).jwk
  return readField('max_amount', () =>
    openContentOf({
      ...terms,
      id: newId('mnd', at),
      agentKey,
      instruments: [{ id: card.id, type: 'card' }],
    }),
  )
}

/** Signs the content with the service's key for a locked card, and writes it down, so that it can be revoked. */
export async function issueOpen(
  tx: Tx,
  at: Date,
  { card, signer, content }: Making & { content: JsonObject },
): Promise<OpenMandate & { token: string }> {
  const open = await signField('content', async () => {
    const token = await makeOpenMandate(content, signer)
    return openMandateOf(at, { cardId: card.id, token, issuedHere: true })
  })
  await insertOpenMandate(tx, open)
  await record(tx, at, [
    mandateIssued.of({
      walletAddress: card.walletAddress,
      data: {
        mandate_id: nameOf(open),
        card_id: card.id,
        kind: 'open',
        currency: open.currency,
        expires_at: open.expiresAt?.toISOString() ?? null,
        agent_kid: open.agentKid,
        payee: null,
        minor_units: null,
        open_id: open.openId,
        reference: null,
        mandate_sd_hash: null,
      },
    }),
  ])
  return open
}
