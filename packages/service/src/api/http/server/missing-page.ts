import { escapeHtml } from '../html.ts'
import { PAGE_STYLE, policyFor } from '../page-style.ts'

const POLICY = policyFor(PAGE_STYLE)

/** Whether the caller prefers a page: only if its `Accept` names HTML, as a browser's does. */
export const wantsPage = (accept: string | undefined): boolean =>
  /(?:^|,)\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(
    accept ?? '',
  )

/** The headers and the page for a person who opens an address that does not exist. */
export const missingPage = (path: string, publicUrl: string) => ({
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'cache-control': 'no-store',
    vary: 'Accept',
  },
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>No such page · Purser</title>
<link rel="icon" href="/favicon.svg">
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
<header>
<p class="brand">Purser</p>
</header>
<h1>No such page</h1>
<p class="lead">There is nothing at <code>${escapeHtml(path)}</code>. Check that the address was copied whole.</p>
<nav aria-label="Where to go">
<a href="${escapeHtml(publicUrl)}/"><strong>Start</strong><span>What this service is</span></a>
<a href="${escapeHtml(publicUrl)}/docs"><strong>Documentation</strong><span>Guides, and every operation with examples</span></a>
</nav>
</main>
</body>
</html>
`,
})
