import { hashMessage } from 'viem'
import type { Reader, Tx } from '../../base/db/sql.ts'
import type { Address, Hex } from '../../base/kernel/assets.ts'
import { addHours, addSeconds } from '../../base/kernel/clock.ts'
import { newId } from '../../base/kernel/ids.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { randomHex } from '../../base/kernel/secrets.ts'
import { formatSiweMessage, nonceOfSiweMessage } from '../../base/protocols/evm/siwe/message.ts'
import { recoverMessageSigner } from '../../base/protocols/evm/siwe/signer.ts'
import { SIMULATED_FACTORIES } from '../../chain/client/accounts/factories.ts'
import { judgeByContract } from '../../chain/client/accounts/judge-signature.ts'
import type { Chain } from '../../chain/client/chain.ts'
import { byCaller, noteActs } from '../audit/note.ts'
import { type Caller, isOperator } from '../http/caller.ts'
import type { Settings } from '../http/settings.ts'
import { newCredential } from './credential.ts'
import * as store from './store.ts'

export const CHALLENGE_SECONDS = 300
export const SESSION_HOURS = 12
const STATEMENT = 'Sign in to Purser. This is free of charge and moves no money.'

/** The site and chain that a sign-in message names. */
export type Site = { publicUrl: string; chainId: number }

/**
 * Makes a message for the wallet to sign. It is valid once, for five minutes. A wallet has at most 20 open messages; a
 * further call returns the newest one again.
 */
export async function issueChallenge(
  tx: Tx,
  at: Date,
  site: Site,
  walletAddress: Address,
): Promise<store.Challenge> {
  const nonce = randomHex(16).slice(2)
  const expiresAt = addSeconds(at, CHALLENGE_SECONDS)
  const message = formatSiweMessage({
    domain: new URL(site.publicUrl).host,
    uri: site.publicUrl,
    address: walletAddress,
    statement: STATEMENT,
    chainId: site.chainId,
    nonce,
    issuedAt: at,
    expirationTime: expiresAt,
  })
  const challenge = { nonce, walletAddress, message, createdAt: at, expiresAt }
  if (await store.insertChallenge(tx, challenge)) return challenge
  // Anybody may ask for a message for any wallet. Many such calls must not keep the wallet itself from signing in.
  const open = await store.findOpenChallenge(tx, at, walletAddress)
  if (open) return open
  throw new Problem('rate_limited', 'Too many sign-ins were begun. Try again in a moment.', {
    headers: { 'retry-after': '1' },
  })
}

/**
 * The open challenge that this message and signature answer. The message must equal the stored text, so that site,
 * chain, wallet and times are ours. A wrong signature does not use the challenge up: only its requester knows its 128
 * random bits, and a signature cannot be guessed. So the wallet may retry after a wrong signature or a chain fault.
 * Throws `invalid_nonce`, `invalid_signature`, and `chain_unavailable` if a contract wallet cannot be asked.
 */
export async function checkAnswer(
  on: Reader,
  at: Date,
  chain: Chain,
  signed: { message: string; signature: Hex },
): Promise<store.Challenge> {
  const nonce = nonceOfSiweMessage(signed.message)
  const challenge = nonce && (await store.findChallenge(on, at, nonce))
  if (!challenge) throw usedNonce()
  const { walletAddress, message } = challenge
  const isSigned =
    signed.message === message &&
    (recoverMessageSigner(message, signed.signature) === walletAddress ||
      (await isSignedByContract(chain, walletAddress, signed)))
  if (!isSigned)
    throw new Problem(
      'invalid_signature',
      'The signature is not by this wallet over this message. Sign the message exactly as the challenge gave it.',
      { param: 'signature' },
    )
  return challenge
}

async function isSignedByContract(
  chain: Chain,
  signer: Address,
  { message, signature }: { message: string; signature: Hex },
): Promise<boolean> {
  const signed = { signer, digest: hashMessage(message), signature }
  return (await judgeByContract(chain, signed, SIMULATED_FACTORIES)).ok
}

export type Opened = Pick<store.Session, 'id' | 'walletAddress' | 'expiresAt'> & { token: string }

/** Uses the challenge up and opens a session; a wallet's oldest of 20 ends. Of several at once, one succeeds; the others are `invalid_nonce`. */
export async function openSession(
  tx: Tx,
  at: Date,
  challenge: store.Challenge,
  device: string | null = null,
): Promise<Opened> {
  const { walletAddress } = challenge
  await store.lockOwner(tx, walletAddress)
  if (!(await store.useChallenge(tx, at, challenge.nonce))) throw usedNonce()
  const { text: token, hash } = newCredential('session')
  const expiresAt = addHours(at, SESSION_HOURS)
  const session = { id: newId('lgn', at), hash, walletAddress, device, createdAt: at, expiresAt }
  await store.insertSession(tx, session, challenge.nonce)
  return { id: session.id, token, walletAddress, expiresAt }
}

const DEVICE_MAX = 200
/** `device`: the User-Agent of the request. */
type SignIn = {
  settings: Pick<Settings, 'operators'>
  requestId: string
  device: string | undefined
}

/** Opens the session at a request. Only the sign-ins of operators are acts: there is no end to those of everybody. */
export async function openSessionAt(
  tx: Tx,
  at: Date,
  challenge: store.Challenge,
  { settings, requestId, device }: SignIn,
): Promise<Opened> {
  const session = await openSession(tx, at, challenge, device?.slice(0, DEVICE_MAX) ?? null)
  const by = { way: 'session', actor: session.walletAddress, keyHash: null, requestId } as const
  if (isOperator(settings, session.walletAddress))
    await noteActs(tx, at, by, [{ act: 'session.opened', subject: session.id }])
  return session
}

/** Ends the caller's session at once. That of an operator is an act, as its beginning was. */
export async function closeSession(
  tx: Tx,
  at: Date,
  caller: Caller,
  settings: Pick<Settings, 'operators'>,
): Promise<void> {
  const id = await store.deleteSession(tx, Buffer.from(caller.credentialHash, 'hex'))
  if (id !== undefined && isOperator(settings, caller.walletAddress))
    await noteActs(tx, at, byCaller(caller), [{ act: 'session.ended', subject: id }])
}

const usedNonce = (): Problem =>
  new Problem(
    'invalid_nonce',
    'The nonce is unknown, used or expired. Ask for a new challenge and sign that.',
    { param: 'message' },
  )
