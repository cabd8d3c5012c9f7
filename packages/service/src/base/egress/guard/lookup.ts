import type { LookupFunction } from 'node:net'
import { Problem } from '../../kernel/problem.ts'
import { blocked, EgressError } from '../errors.ts'
import { isInRanges, isPublicAddress } from './address.ts'
import type { ResolvedAddress, Resolver } from './resolve.ts'
import { type Allowlist, checkUrl, isAllowedHost } from './url.ts'

/** As `checkUrl`, for a request that is under way: a refused URL is an `EgressError`. */
export function checkedUrl(allowlist: Allowlist, url: string): URL {
  try {
    return checkUrl(allowlist, url)
  } catch (error) {
    if (error instanceof Problem)
      throw new EgressError('blocked', error.message, { sent: false, cause: error })
    throw error
  }
}

/** The addresses of the host, at least one. Refuses all of them if one is not allowed. */
export async function resolveChecked(
  allowlist: Allowlist,
  resolver: Resolver,
  host: string,
): Promise<readonly [ResolvedAddress, ...ResolvedAddress[]]> {
  const isAllowed = ({ address }: ResolvedAddress): boolean =>
    isAllowedHost(allowlist, host.replace(/\.$/, '')) ||
    isInRanges(allowlist.ranges, address) ||
    isPublicAddress(address)
  const [first, ...others] = await resolver(host)
  if (!first || ![first, ...others].every(isAllowed)) throw blocked()
  return [first, ...others]
}

/**
 * Resolves a name, refuses if any address is not allowed, and passes on the same addresses, so that the connection uses
 * the checked ones. A name is resolved once for the whole exchange.
 */
export function checkedLookup(allowlist: Allowlist, resolver: Resolver): LookupFunction {
  const asked = new Map<string, ReturnType<typeof resolveChecked>>()
  return (host, options, callback) => {
    const answer = asked.get(host) ?? resolveChecked(allowlist, resolver, host)
    asked.set(host, answer)
    answer.then(
      ([first, ...others]) => {
        if (options.all) return callback(null, [first, ...others])
        callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}
