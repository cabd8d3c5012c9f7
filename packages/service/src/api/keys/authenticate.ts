import type { FastifyRequest } from 'fastify'
import { gather } from '../../base/db/lanes/gather.ts'
import { addSeconds } from '../../base/kernel/clock.ts'
import { Problem } from '../../base/kernel/problem.ts'
import type { Caller } from '../http/caller.ts'
import { notJson } from '../http/server/bodies.ts'
import { checkOwnPage } from '../http/server/own-origin.ts'
import type { Authenticate } from '../http/server/router.ts'
import type { Uses } from '../http/services.ts'
import type { Settings } from '../http/settings.ts'
import { invalidCredential, readCredential } from './credential.ts'
import type { ApiKey } from './store.ts'
import * as store from './store.ts'

export const SESSION_COOKIE = 'purser_session'
/** `last_used_at` is accurate to a minute. */
const USE_NOTED_EVERY_SECONDS = 60
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/**
 * Identifies the caller by an indexed read, which concurrent callers share. Nothing is cached, so a revoked key stops
 * working on every node at once.
 * Throws `unauthorized` without a credential and `invalid_api_key` for an invalid one.
 */
export function createAuthenticate(services: Uses<'db' | 'log' | 'settings'>): Authenticate {
  const noteUse = createUseNoter(services)
  const findKey = gather((hashes) => store.findKeys(services.db.reader, hashes))
  return async (request, at) => {
    const sent = credentialOf(request, services.settings)
    const credential = readCredential(sent.text, services.settings.mode)
    if (!credential || (sent.isCookie && credential.kind !== 'session')) throw invalidCredential()
    const { kind, hash } = credential
    const credentialHash = hash.toString('hex')
    const base = { kind, credentialHash, requestId: request.id }
    if (kind === 'session') {
      const session = await store.findSession(services.db.reader, hash)
      if (!session || session.expiresAt <= at) throw invalidCredential()
      const { walletAddress, createdAt } = session
      return { ...base, ...FULL, walletAddress, authenticatedAt: createdAt }
    }
    const key = await findKey(credentialHash)
    if (!key || key.revokedAt || (key.expiresAt && key.expiresAt <= at)) throw invalidCredential()
    noteUse(key, at)
    const { walletAddress, scopes, cardIds, maxAmount } = key
    return { ...base, walletAddress, scopes, cardIds, maxAmount, authenticatedAt: at }
  }
}

const FULL = { scopes: null, cardIds: null, maxAmount: null } satisfies Partial<Caller>

/** The credential of a request: its Authorization header, or without one the web page's cookie. */
function credentialOf(
  request: FastifyRequest,
  settings: Settings,
): { text: string; isCookie: boolean } {
  const header = request.headers.authorization
  if (header !== undefined) {
    const [, text = ''] = /^bearer +(\S+) *$/i.exec(header) ?? []
    return { text, isCookie: false }
  }
  const cookie = request.cookies[SESSION_COOKIE]
  if (cookie === undefined)
    throw new Problem(
      'unauthorized',
      'This operation needs a credential. Send Authorization: Bearer <API_KEY>, or sign in.',
    )
  checkCookie(request, settings)
  return { text: cookie, isCookie: true }
}

/** The bodies that a form can send. It always names one of these types, even with nothing in it. */
const OF_FORMS = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i

/**
 * A cookie comes along with whatever page makes the request. SameSite=Strict keeps other sites out. A page of another port of this
 * host is the same site: browsers tell it apart by its Origin, which they send with every change.
 */
function checkCookie({ method, headers }: FastifyRequest, settings: Settings): void {
  checkOwnPage(headers, settings)
  if (SAFE_METHODS.includes(method)) return
  if (headers.origin === undefined)
    throw new Problem(
      'origin_not_allowed',
      'A change by the cookie of a session has to name its Origin. A program sends Authorization: Bearer.',
    )
  if (OF_FORMS.test(headers['content-type'] ?? '')) throw notJson()
}

/** Records uses in the background: the request neither waits for the record nor fails with it. */
function createUseNoter({ db, log }: Uses<'db' | 'log'>): (key: ApiKey, at: Date) => void {
  const noting = new Set<string>()
  return ({ hash, lastUsedAt }, at) => {
    const since = addSeconds(at, -USE_NOTED_EVERY_SECONDS)
    const id = hash.toString('hex')
    if ((lastUsedAt && lastUsedAt > since) || noting.has(id)) return
    noting.add(id)
    void db
      .write((tx) => store.touchKey(tx, at, hash, since))
      .catch((error) => log.warn({ err: error }, 'the use of a key could not be noted'))
      .finally(() => noting.delete(id))
  }
}
