import type { Problem } from '../../../base/kernel/problem.ts'
import { escapeHtml } from '../html.ts'
import { PAGE_STYLE, policyFor } from '../page-style.ts'

const POLICY = policyFor(PAGE_STYLE)

/** Whether the caller prefers a page: only if its `Accept` names HTML, as a browser's does. */
export const wantsPage = (accept: string | undefined): boolean =>
  /(?:^|,)\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(
    accept ?? '',
  )

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'cache-control': 'no-store',
  vary: 'Accept',
}

/** The headers and the page for a person who opens an address that does not exist. */
export const missingPage = (path: string, publicUrl: string) => ({
  headers: HEADERS,
  html: pageOf(
    'No such page',
    `<p class="lead">There is nothing at <code>${escapeHtml(path)}</code>. Check that the address was copied whole.</p>
<nav aria-label="Where to go">
<a href="${escapeHtml(publicUrl)}/"><strong>Start</strong><span>What this service is</span></a>
<a href="${escapeHtml(publicUrl)}/docs"><strong>Documentation</strong><span>Guides, and every operation with examples</span></a>
</nav>`,
  ),
})

/** The page for a person who opens the dashboard under a name that the service does not know. */
export const unknownHostPage = (sentence: string, publicUrl: string) => ({
  headers: HEADERS,
  html: pageOf(
    'This name is not known here',
    `<p class="lead">${escapeHtml(sentence)}</p>
<p>The operator of this service puts the name, without a port, into <code>PURSER_HOSTS</code> and starts it again. A name that anybody could point here might belong to a page that wants to use your session.</p>
<nav aria-label="Where to go">
<a href="${escapeHtml(publicUrl)}/"><strong>${escapeHtml(publicUrl)}</strong><span>The address that is configured as <code>PUBLIC_URL</code></span></a>
<a href="${escapeHtml(publicUrl)}/docs/operate/proxy"><strong>Documentation</strong><span>Names, proxies and TLS</span></a>
</nav>`,
  ),
})

/** The same for a payer, whose link or form the service cannot answer: a refusal for programs says nothing to them. */
export const payerPage = (of: {
  problem: Problem
  id: string
  /** The request had a payment with it. */
  hasPaid: boolean
  /** The page of the link. */
  page: string
}) => ({
  headers: HEADERS,
  html: pageOf(
    !isOurs(of.problem) && of.problem.status !== 429
      ? 'That did not work'
      : 'The service cannot answer now',
    `<p class="lead">${isOurs(of.problem) ? 'This is a fault of the service that takes the payment, and not of your wallet or your link.' : escapeHtml(of.problem.message)}</p>
<p>${
      of.hasPaid && isUnsure(of.problem)
        ? 'It is not known yet whether the payment was made. Open the link again before you pay anew: its page says whether it is paid.'
        : 'Nothing was paid by this request. Open the link again, in a moment.'
    }</p>
<nav aria-label="Where to go">
<a href="${escapeHtml(of.page)}"><strong>Back to the link</strong><span>Whether it is paid, and the ways to pay</span></a>
</nav>
<p class="soft">If you ask for help, name the request <code>${escapeHtml(of.id)}</code>.</p>`,
  ),
})

const isOurs = ({ status }: Problem): boolean => status >= 500

/** The page for a person whom the service cannot show another one now. */
export const troublePage = (id: string) => ({
  headers: HEADERS,
  html: pageOf(
    'The service cannot answer now',
    `<p class="lead">Nothing is lost. Load this page again, in a moment.</p>
<p class="soft">If you ask for help, name the request <code>${escapeHtml(id)}</code>.</p>`,
  ),
})

/** The refusal leaves open whether a payment was made: by this request, or by one before it that is still on its way. */
const isUnsure = ({ status, code }: Problem): boolean =>
  status >= 500 || /_(pending|in_flight|in_progress)$/.test(code)

const pageOf = (title: string, main: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Purser</title>
<link rel="icon" href="/favicon.svg">
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
<header>
<p class="brand">Purser</p>
</header>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`
