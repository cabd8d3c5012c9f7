import { type Answer, answer } from '../../../api/http/route.ts'
import type { Uses } from '../../../api/http/services.ts'
import { toNumber } from '../../../base/kernel/money.ts'
import { problemDocument } from '../../../base/protocols/mpp/problem.ts'
import { assetOfLink, linkUrl } from '../../link/link.ts'
import type { PayLink } from '../../link/store.ts'
import { leastBody, tokenBody } from '../../link/view.ts'
import type { Asked, MethodUses } from '../methods/method.ts'
import { METHODS } from '../methods/methods.ts'

/** The headers of every answer at a link's URL: caches must not keep it. */
export const sharedHeaders = (): Record<string, string> => ({
  'cache-control': 'no-store',
  vary: ['accept', ...METHODS.flatMap(({ present }) => present?.requestHeaders ?? [])].join(', '),
})

/**
 * 402 with every way to pay at once: the headers of each method, and one body that is a problem document (RFC 9457), what
 * each method adds to it, and our own list.
 */
export async function demand(services: MethodUses, at: Date, asked: Asked): Promise<Answer> {
  const { link, refused } = asked
  const parts = await Promise.all(
    METHODS.flatMap((method) => method.demand?.make(services, at, asked) ?? []),
  )
  const detail =
    refused?.detail ??
    (parts.some(({ isOffered }) => isOffered)
      ? 'Pay by one of the ways that this answer lists, and repeat the request with the payment.'
      : 'The payer chooses the amount of this link: add ?amount= to the URL.')
  const { problem = 'payment-required', challengeId } = refused ?? {}
  const body = Object.assign(
    problemDocument(problem, detail, challengeId),
    ...parts.map((part) => part.body),
    { code: 'payment_required', ...terms(services, link) },
  )
  return answer(402, body, Object.assign(sharedHeaders(), ...parts.map((part) => part.headers)))
}

function terms({ chain, settings }: Uses<'chain' | 'settings'>, link: PayLink) {
  return {
    pay_link: {
      code: link.code,
      url: linkUrl({ settings }, link),
      amount:
        link.amount === null ? null : toNumber(link.amount, assetOfLink(chain, link).decimals),
      asset: link.asset,
      ...tokenBody(link, link.amount),
      ...leastBody(assetOfLink(chain, link), link),
      memo: link.memo,
    },
    accepted_protocols: link.acceptedProtocols,
    prepare: `${settings.publicUrl}/api/pay/${link.code}/prepare`,
    settle: `${settings.publicUrl}/api/pay/${link.code}/settle`,
  }
}
