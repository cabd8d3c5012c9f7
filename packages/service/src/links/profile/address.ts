import type { Uses } from '../../api/http/services.ts'
import { Problem } from '../../base/kernel/problem.ts'

const MAILTO = /^mailto:[\w.+-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i

/**
 * The address at which payers reach a seller: an https page, or a mailbox. Plain http is for the hosts alone that the operator lists
 * for requests of ours.
 */
export function readSupportUrl(services: Uses<'egress'>, text: string): string {
  return MAILTO.test(text) ? text : readPageUrl(services, text, 'support_url')
}

/** The address of a page that a payer's browser is led to, as browsers write it. Throws `url_not_allowed`. */
export function readPageUrl({ egress }: Uses<'egress'>, text: string, param: string): string {
  try {
    egress.check(text)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem('url_not_allowed', error.message.replace(/^url\b/, param), {
      param,
      cause: error,
    })
  }
  return new URL(text).href
}
