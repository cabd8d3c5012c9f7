import type { Uses } from '../../../api/http/services.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { readPageUrl } from '../../profile/address.ts'
import { type Html, html } from './html.ts'

const PLACE = /(?:\{|%7b)PAYMENT_ID(?:\}|%7d)/gi
export const RETURN_URL_MAX = 2_048

/** An address that payers are led to. The id of their payment may stand in its path and query, and nowhere before. */
export function readReturnUrl(
  services: Uses<'egress'>,
  text: string | undefined,
  param: 'success_url' | 'cancel_url',
): string | null {
  if (text === undefined) return null
  const [one, other] = ['stl_a', 'stl_b'].map((id) => text.replaceAll(PLACE, id))
  const url = readPageUrl(services, one ?? '', param)
  if (new URL(url).origin !== URL.parse(other ?? '')?.origin)
    throw new Problem(
      'url_not_allowed',
      `${param} may hold {PAYMENT_ID} in its path and query only.`,
      {
        param,
      },
    )
  if (param === 'cancel_url' && one !== text)
    throw new Problem(
      'url_not_allowed',
      'cancel_url may not hold {PAYMENT_ID}: nothing was paid.',
      {
        param,
      },
    )
  return text
}

/** The address with the id of the payment in it. */
export const filledUrl = (text: string, paymentId: string): string =>
  new URL(text.replaceAll(PLACE, encodeURIComponent(paymentId))).href

/** Leads back to a page of the seller's. A host in other letters is shown as it is written for machines. */
export const backLink = (url: string, look: 'primary' | 'secondary' | 'back'): Html =>
  html`<a class="${look}" href="${url}" rel="noreferrer">Back to ${new URL(url).host}</a>`
