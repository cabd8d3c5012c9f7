import { judgeSignIn } from '../../../../api/agents/sign-in.ts'
import { insertNonce } from '../../../../api/agents/store.ts'
import type { Uses } from '../../../../api/http/services.ts'
import { addSeconds } from '../../../../base/kernel/clock.ts'
import { Problem } from '../../../../base/kernel/problem.ts'
import { equalBytes, randomHex } from '../../../../base/kernel/secrets.ts'
import { mac } from '../../../../base/protocols/mpp/mac.ts'
import { type Refused, refused } from '../../../../base/protocols/x402/refusal.ts'
import {
  readSignIn,
  type SignIn,
  signInExtension,
  signInRefusal,
} from '../../../../base/protocols/x402/sign-in.ts'
import type { JsonObject } from '../../../../base/protocols/x402/wire.ts'
import { findPaidBy } from '../../../../money/settlements/on-chain/store.ts'
import type { LinkSettlement } from '../../../../money/settlements/settlement.ts'
import { linkUrl } from '../../../link/link.ts'
import type { PayLink } from '../../../link/store.ts'

const SECONDS = 300
const USE = 'sign-in-with-x'
const STATEMENT = 'Show that this wallet has paid. This is free of charge and moves no money.'

/** The extension of a link's 402. Its nonce is ours by a MAC over link and time, so nothing is stored for who only looks. */
export function offerSignIn(
  services: Uses<'chain' | 'mppKeys' | 'settings'>,
  at: Date,
  link: PayLink,
): JsonObject {
  const [key] = services.mppKeys.challenges
  const salt = randomHex(16).slice(2)
  return signInExtension({
    domain: new URL(services.settings.publicUrl).host,
    uri: linkUrl(services, link),
    statement: STATEMENT,
    nonce: salt + tagOf(key, { link, salt, issuedAt: at }),
    issuedAt: at,
    expirationTime: addSeconds(at, SECONDS),
    network: services.chain.network,
  })
}

const SALT_CHARACTERS = 32
const tagOf = (key: Uint8Array, of: { link: PayLink; salt: string; issuedAt: Date }): string =>
  mac(key, USE, `${of.link.id}.${of.salt}.${of.issuedAt.toISOString()}`).toString('hex')

/** The refusal of a closed link that a wallet may come back to: with what to sign. */
export const returnable = (
  services: Uses<'chain' | 'mppKeys' | 'settings'>,
  at: Date,
  { link, closed }: { link: PayLink; closed: Problem },
): Problem =>
  link.payersReturn
    ? new Problem(closed.code, closed.message, {
        headers: closed.headers,
        extra: { ...closed.extra, extensions: offerSignIn(services, at, link) },
      })
    : closed

/**
 * The newest payment of the wallet that signed the header for this link, or why there is none. A nonce shows one payment
 * once.
 */
export async function findReturning(
  services: Uses<'chain' | 'db' | 'mppKeys' | 'settings'>,
  at: Date,
  { link, header }: { link: PayLink; header: string },
): Promise<LinkSettlement | Refused> {
  const read = readSignIn(header)
  if (!read.ok) return read
  const { signIn } = read
  const expected = { url: new URL(linkUrl(services, link)), network: services.chain.network }
  const wrong = signInRefusal(signIn, { ...expected, at, maxAgeMs: SECONDS * 1000 })
  if (wrong) return wrong
  if (!isOurs(services, link, signIn))
    return refused(
      'invalid_siwx_nonce',
      'The message was not made for this link. Sign the one of its 402.',
    )
  if (!(await judgeSignIn(services, signIn)))
    return refused('invalid_siwx_signature', 'The wallet did not sign this message.')
  const paid = await findPaidBy(services.db.reader, { payLinkId: link.id, payer: signIn.address })
  if (!paid) return refused('siwx_not_paid', 'This wallet has not paid this link.')
  const use = {
    keyId: signIn.address,
    nonce: signIn.nonce,
    expiresAt: addSeconds(signIn.issuedAt, SECONDS),
  }
  const isFirst = await services.db.write((tx) => insertNonce(tx, { scope: link.id, ...use }))
  return isFirst
    ? paid
    : refused('invalid_siwx_nonce', 'The message was used before. Sign a new one.')
}

/** Whether the message is what we offered, with its nonce made for this link at the time that it names. */
function isOurs(
  { mppKeys, settings }: Uses<'mppKeys' | 'settings'>,
  link: PayLink,
  { uri, statement, nonce, issuedAt }: SignIn,
): boolean {
  const salt = nonce.slice(0, SALT_CHARACTERS)
  const claimed = Buffer.from(nonce.slice(SALT_CHARACTERS))
  const fits = mppKeys.challenges.filter((key) =>
    equalBytes(Buffer.from(tagOf(key, { link, salt, issuedAt })), claimed),
  )
  return fits.length > 0 && uri === linkUrl({ settings }, link) && statement === STATEMENT
}
