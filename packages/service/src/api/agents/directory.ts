import type { EgressResponse } from '../../base/egress/egress.ts'
import { EgressError } from '../../base/egress/errors.ts'
import { Kept } from '../../base/kernel/bounded.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { type AgentKey, readKeys } from '../../base/protocols/http-signatures/keys.ts'
import { parseJsonObject } from '../../base/protocols/x402/wire.ts'
import { perServices, type Uses } from '../http/services.ts'

export const DIRECTORY_PATH = '/.well-known/http-message-signatures-directory'
export const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json'
/** A JWKS that a seller names by its whole URL may have these as well. */
const JWKS_TYPES = ['application/json', 'application/jwk-set+json', DIRECTORY_TYPE]

const BODY_MAX_BYTES = 64 * 1024
const TIMEOUT_MS = 5_000
const DIRECTORIES_MAX = 500
/** A key that its agent revokes is believed no longer than this. */
const KEPT_MS = 5 * 60_000
/** A directory that lacks a key is asked again after this time, so that a rotation is seen soon. */
const RENEW_MS = 30_000

const directoriesOf = perServices(() => new Kept<Read>(DIRECTORIES_MAX))
/** A failure is an answer that callers share too: an attacker's host is asked once in a while. */
type Read = { keys: AgentKey[] | undefined; at: Date }

/**
 * The keys that an agent publishes: at its origin, or at the whole URL of a JWKS. `lacks` says that the keys do not do, so
 * that ones read a while ago are read again. Throws `agent_directory_unavailable`.
 */
export async function readDirectory(
  services: Uses<'egress'>,
  at: Date,
  { agent, lacks }: { agent: string; lacks?: (keys: readonly AgentKey[]) => boolean },
): Promise<AgentKey[]> {
  const directories = directoriesOf(services)
  const ask = () => fetchDirectory(services, at, agent)
  let read = await directories.get(agent, at, { ms: KEPT_MS, ask })
  const isOld = at.getTime() - read.at.getTime() > RENEW_MS
  if (isOld && (read.keys === undefined || lacks?.(read.keys))) {
    directories.forget(agent)
    read = await directories.get(agent, at, { ms: KEPT_MS, ask })
  }
  if (read.keys === undefined)
    throw new Problem(
      'agent_directory_unavailable',
      `The key directory of ${agent} could not be read. It must answer 200 at ${urlOf(agent)}, with Content-Type ${DIRECTORY_TYPE}.`,
      { headers: { 'retry-after': '30' } },
    )
  return read.keys
}

/** An agent named by its origin has its directory at the well-known path. */
const isOrigin = (agent: string): boolean => new URL(agent).origin === agent
const urlOf = (agent: string): string => (isOrigin(agent) ? agent + DIRECTORY_PATH : agent)

async function fetchDirectory({ egress }: Uses<'egress'>, at: Date, agent: string): Promise<Read> {
  try {
    const answer = await egress.fetch({
      url: urlOf(agent),
      method: 'GET',
      headers: { accept: DIRECTORY_TYPE },
      timeoutMs: TIMEOUT_MS,
      maxBytes: BODY_MAX_BYTES,
    })
    return { keys: keysIn(answer, isOrigin(agent) ? [DIRECTORY_TYPE] : JWKS_TYPES), at }
  } catch (error) {
    if (!(error instanceof EgressError || error instanceof Problem)) throw error
    return { keys: undefined, at }
  }
}

/** The type is demanded: a site that lets strangers upload JSON is not thereby an agent. */
function keysIn(answer: EgressResponse, types: readonly string[]): AgentKey[] | undefined {
  const type = answer.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (answer.status !== 200 || answer.truncated || !types.includes(type)) return undefined
  return readKeys(parseJsonObject(answer.body))
}
