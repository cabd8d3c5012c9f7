import type { Uses } from '../../../api/http/services.ts'
import { member } from '../../../base/protocols/json.ts'
import { checkExpiry, checkOrigin, checkTerms } from '../../../base/protocols/mpp/binding.ts'
import { type Credential, readCredential } from '../../../base/protocols/mpp/headers/credential.ts'
import { AGENTCARD_CHARGE, readCardToken } from '../../../base/protocols/mpp/methods/agentcard.ts'
import {
  checkEvmPayment,
  checkEvmTerms,
  readEvmPayload,
} from '../../../base/protocols/mpp/methods/evm.ts'
import { MppRefusal } from '../../../base/protocols/mpp/refusal.ts'
import { nowSecondsOf, readLatest } from '../../../chain/client/read-latest.ts'
import { assetOfLink, closedProblem, realmOf } from '../../../links/link/link.ts'
import type { PayLink } from '../../../links/link/store.ts'
import { offerFor } from '../../../links/pay-links/methods/mpp/settle.ts'
import { findToken } from '../../../money/cards/tokens/store.ts'
import {
  type Asker,
  findOwnLink,
  findSettledOfLink,
  NOT_SETTLED,
  standing,
  whyNotSettled,
} from './receive.ts'
import { type NotReceived, no, type Payment } from './received.ts'

/**
 * Finds the settled payment of one of the caller's links that an MPP credential proves: its challenge was made here for
 * that link on today's terms, and the method's own signature or seal is good. A body that the challenge is bound to is not
 * known here, so it is not compared. Nothing is claimed, redeemed, sent or counted.
 */
export async function findReceivedMpp(
  services: Uses<'chain' | 'db' | 'mppKeys' | 'settings'>,
  { caller, at }: Asker,
  data: string,
): Promise<Payment | NotReceived> {
  try {
    const credential = readData(data)
    const { challenge } = credential
    const code = member(challenge.terms, 'externalId')
    const link = await findOwnLink(services, caller, typeof code === 'string' ? code : undefined)
    if (!link) return no('challenge_unknown')
    const { settings, mppKeys } = services
    checkOrigin(challenge, { keys: mppKeys.challenges, realm: realmOf(settings), scope: link.code })
    checkTerms(challenge, offerFor(services, link, challenge).terms)
    return challenge.method === AGENTCARD_CHARGE.method
      ? await findByCardToken(services, at, { link, credential })
      : await findByEvm(services, at, { link, credential })
  } catch (error) {
    if (!(error instanceof MppRefusal)) throw error
    return no(error.code)
  }
}

/** Reads the credential from a header value, with its scheme or without, in either of the two fields of a challenge. */
function readData(data: string): Credential {
  const value = /^payment[ \t]/i.test(data) ? data : `Payment ${data}`
  try {
    const credential = readCredential({ authorization: value })
    if (credential) return credential
  } catch (error) {
    if (!(error instanceof MppRefusal) || error.code !== 'credential_misplaced') throw error
  }
  const credential = readCredential({ 'payment-authorization': value })
  if (!credential) throw new MppRefusal('credential_malformed', 'That is no Payment credential.')
  return credential
}

type Presented = { link: PayLink; credential: Credential }

async function findByEvm(
  services: Uses<'chain' | 'db'>,
  at: Date,
  { link, credential }: Presented,
): Promise<Payment | NotReceived> {
  const { chain } = services
  const { challenge, source } = credential
  const payload = readEvmPayload(credential.payload)
  const { authorization, signature } = payload
  const checked = { challenge, asset: assetOfLink(chain, link), payload, source }
  checkEvmTerms(checked)
  const found = await findSettledOfLink(services, link, authorization)
  if (found) return found
  checkExpiry(challenge, at)
  checkEvmPayment({ ...checked, nowSeconds: nowSecondsOf(await readLatest(chain), at) })
  const closed = closedProblem(link, at)
  if (closed) return no(closed.code)
  const signed = { ok: true, by: 'key', signature } as const
  return no(await whyNotSettled(services, at, { link, authorization, signature, signed }))
}

async function findByCardToken(
  services: Uses<'db' | 'mppKeys'>,
  at: Date,
  { link, credential: { challenge, payload } }: Presented,
): Promise<Payment | NotReceived> {
  const { db, mppKeys } = services
  const sealed = readCardToken(mppKeys.cardTokens, challenge, payload)
  const token = await findToken(db.reader, challenge.id)
  const isIt = token?.holdId === sealed.hold && token.cardId === sealed.card
  if (!isIt || token.recipient !== link.code) return no('card_token_invalid')
  if (token.state === 'redeemed')
    return standing(link, { id: token.settlementId, state: 'settled' })
  if (token.state === 'released' || token.expiresAt <= at) return no('challenge_expired')
  return no(closedProblem(link, at)?.code ?? NOT_SETTLED)
}
