import { record } from '../../../api/events/record.ts'
import { mandateIssued } from '../../../api/events/types/mandates.ts'
import type { Uses } from '../../../api/http/services.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { randomToken } from '../../../base/kernel/secrets.ts'
import {
  joinChain,
  makeDirectMandate,
  makeTerminalMandate,
} from '../../../base/protocols/ap2/issue/issue.ts'
import { closedContentOf } from '../../../base/protocols/ap2/issue/terms.ts'
import { type Signer, signerOf, thumbprintOf } from '../../../base/protocols/ap2/jose/keys.ts'
import { refusalOf } from '../../../base/protocols/ap2/judge/checks.ts'
import { evaluateTimes } from '../../../base/protocols/ap2/judge/evaluate.ts'
import { judgeOpen } from '../../../base/protocols/ap2/judge/judge-open.ts'
import { readOpenContent } from '../../../base/protocols/ap2/read/content.ts'
import { readHop } from '../../../base/protocols/ap2/read/hop.ts'
import {
  type Presentation,
  readPresentation,
} from '../../../base/protocols/ap2/read/presentation.ts'
import type { Ap2Refusal } from '../../../base/protocols/ap2/refusal.ts'
import { openPrivateKey } from '../../../base/signing-keys/key-pair.ts'
import type { ServiceSigner } from '../../../base/signing-keys/signing-keys.ts'
import type { CardWithMoney } from '../../../money/cards/card.ts'
import { findCardKey } from '../keys/store.ts'
import { readField, signField } from '../read-field.ts'
import type { Closing } from './close-terms.ts'
import { findOpenMandates } from './open/store.ts'
import { insertSigned } from './store.ts'

type Payer = { card: CardWithMoney; services: Uses<'sealKey' | 'settings'> }

/** Signs a payment of a locked card with the service's own key. */
export async function closeDirect(
  tx: Tx,
  at: Date,
  { card, terms, signer }: { card: CardWithMoney; terms: Closing; signer: ServiceSigner },
): Promise<string> {
  const [mandate, read] = await signField('payee', async () => {
    const signed = await makeDirectMandate(contentOf(card, terms), signer)
    return [signed, readPresentation({ closedMandate: signed })] as const
  })
  await recordClosed(tx, at, { card, terms, read })
  return mandate
}

/**
 * Signs a payment of a locked card within an open mandate, with the agent key that the service keeps for the card, and
 * only what that open mandate allows; returns both, joined. What is left of its budget is settle's to say.
 */
export async function closeWithin(
  tx: Tx,
  at: Date,
  of: Payer & { terms: Closing; openMandate: string },
): Promise<string> {
  const { card, services, terms } = of
  const openMandate = of.openMandate.endsWith('~') ? of.openMandate : `${of.openMandate}~`
  const sign = await heldSigner(tx, { card, services, openMandate })
  const [mandate, read] = await signField('open_mandate', async () => {
    const closed = await makeTerminalMandate(contentOf(card, terms), {
      openMandate,
      audience: services.settings.publicUrl,
      nonce: randomToken(),
      issuedAt: at,
      sign,
    })
    const joined = joinChain(openMandate, closed)
    return [joined, readPresentation({ closedMandate: joined })] as const
  })
  const refusal = refusalOf([...evaluateTimes(read, at), ...judgeOpen(read, terms.references, at)])
  if (refusal) throw refusedBy(refusal)
  const [known] = read.openId ? await findOpenMandates(tx, [read.openId]) : []
  if (known?.revokedAt)
    throw new Problem('mandate_revoked', 'The open mandate was revoked. Have a new one signed.')
  await recordClosed(tx, at, { card, terms, read })
  return mandate
}

const contentOf = (card: CardWithMoney, terms: Closing) =>
  readField('amount', () =>
    closedContentOf({ ...terms, instrument: { id: card.id, type: 'card' } }),
  )

async function heldSigner(
  tx: Tx,
  { card, services, openMandate }: Payer & { openMandate: string },
): Promise<Signer> {
  const kid = readField('open_mandate', () =>
    thumbprintOf(readOpenContent(readHop(openMandate).content).agentKey),
  )
  const key = await findCardKey(tx, { cardId: card.id, kid })
  if (!key?.sealed || key.revokedAt)
    throw new Problem(
      'invalid_field',
      'The service does not keep the key that this open mandate names. Close it with that key, as the SDK does.',
      { param: 'open_mandate' },
    )
  return signerOf(openPrivateKey({ kid, sealed: key.sealed }, services.sealKey))
}

const refusedBy = ({ code, detail, ap2Error, violations }: Ap2Refusal): Problem =>
  new Problem(code, `${detail}.`, { extra: { ap2_error: ap2Error, violations } })

async function recordClosed(
  tx: Tx,
  at: Date,
  { card, terms, read }: { card: CardWithMoney; terms: Closing; read: Presentation },
): Promise<void> {
  const { closed, mandateId, reference, mandateSdHash, openId } = read
  const signed = { cardId: card.id, mandateId, reference, mandateSdHash, ownerNo: card.ownerNo }
  await insertSigned(tx, { ...signed, createdAt: at })
  await record(tx, at, [
    mandateIssued.of({
      walletAddress: card.walletAddress,
      data: {
        mandate_id: mandateId,
        card_id: card.id,
        kind: 'closed',
        currency: closed.amount.currency,
        expires_at: terms.expiresAt.toISOString(),
        agent_kid: null,
        payee: closed.payee.id,
        minor_units: Number(closed.amount.amount),
        open_id: openId ?? null,
        reference,
        mandate_sd_hash: mandateSdHash,
      },
    }),
  ])
}
