import { EgressError } from '../../base/egress/errors.ts'
import { hostOf } from '../../base/egress/guard/url.ts'
import type { Destination } from '../../base/egress/keep-alive.ts'
import { Problem } from '../../base/kernel/problem.ts'
import type { Uses } from '../http/services.ts'

/**
 * Where a delivery to the URL would go, if it may go there: to a public address that is not this service. Asked when a
 * webhook is saved, changed, tested, replayed and sent to. Throws `invalid_url`
 * and `url_not_allowed`.
 */
export async function checkEndpoint(
  { egress, settings }: Uses<'egress' | 'settings'>,
  url: string,
): Promise<Destination> {
  if (!URL.canParse(url))
    throw new Problem('invalid_url', 'url is not a URL. Give an https address in full.', {
      param: 'url',
    })
  egress.check(url)
  try {
    const [there, here] = await Promise.all([
      egress.kept.resolve(url),
      resolveHere({ egress, settings }),
    ])
    const names = [there.host, loopbackOr(there.address)]
    const isHere = here.names.some((name) => names.includes(name))
    if (isHere && here.port === portOf(there.url))
      throw refuse('leads to this service itself. Give the address of your own server')
    return there
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw refuse(
      error.kind === 'blocked'
        ? 'leads to an address that is not on the public internet. Give the https address of a public server'
        : 'names a host that cannot be resolved. Give the address of a public server',
      error,
    )
  }
}

/** The port and the names of this service: that in its public URL, and the address behind it. */
async function resolveHere({ egress, settings }: Uses<'egress' | 'settings'>) {
  const own = new URL(settings.publicUrl)
  const found = await egress.kept.resolve(own.href).catch((error: unknown) => {
    // An address that the guard refuses is refused for a delivery too.
    if (error instanceof EgressError) return undefined
    throw error
  })
  return { port: portOf(own), names: [hostOf(own), ...(found ? [loopbackOr(found.address)] : [])] }
}

/** One name for all addresses by which a machine reaches itself. */
const loopbackOr = (address: string): string =>
  /^(127\.|::1$|::ffff:7f)/.test(address) ? 'loopback' : address

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80')

const refuse = (why: string, cause?: unknown): Problem =>
  new Problem('url_not_allowed', `url ${why}.`, { param: 'url', cause })
