import { escapeHtml } from '../../../api/http/html.ts'
import { API_VERSION } from '../../../api/http/openapi/document.ts'
import { PAGE_STYLE } from '../../../api/http/page-style.ts'

/** The root page: a short description of the service, and links to everything else. */
export type Home = {
  version: string
  /** Without a trailing slash. */
  baseUrl: string
  network: string
  asset: string
  /** Test money, without value. */
  isLocal: boolean
  hasDemoWallet: boolean
  /** The base of an explorer's links, without a slash at its end; empty if there is none. */
  explorer: string
}

const SUMMARY = 'Payment infrastructure for AI agents'
const LINKS = {
  docs: '/docs',
  openapi: '/openapi.json',
  llms: '/llms.txt',
  llms_full: '/llms-full.txt',
  status: '/api/status',
  agent_card: '/.well-known/agent-card.json',
  facilitator: '/api/x402',
  jwks: '/.well-known/jwks.json',
  did: '/.well-known/did.json',
  request_keys: '/.well-known/http-message-signatures-directory',
}

/** For programs. */
export const homeJson = ({ version, baseUrl, network, asset, hasDemoWallet, explorer }: Home) => ({
  name: 'purser',
  description: SUMMARY,
  version,
  api_version: API_VERSION,
  network,
  asset,
  ...(hasDemoWallet && { has_demo_wallet: true }),
  ...(explorer && { explorer: { transaction: `${explorer}/tx/{hash}` } }),
  links: Object.fromEntries(Object.entries(LINKS).map(([name, path]) => [name, baseUrl + path])),
})

/** For people: no scripts, no external resources. Its links are relative, so that it works below any path. */
export function homePage(home: Home): string {
  const { version, baseUrl, network, asset, isLocal } = home
  const at = escapeHtml(baseUrl)
  const money = escapeHtml(`${asset} on ${network}`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Purser: ${SUMMARY.toLowerCase()}</title>
<link rel="icon" href="favicon.svg">
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
<header>
<p class="brand">Purser</p>
<p class="badge">${isLocal ? 'Local chain · test money' : money}</p>
</header>
<h1>${SUMMARY}</h1>
<p class="lead">This is a Purser service. Agents get cards with limits and pay with them; sellers open links and are paid. It speaks x402, AP2 and MPP, and keeps its books in ${money}.</p>
<nav aria-label="Where to go">
<a href="docs"><strong>Documentation</strong><span>Guides, and every operation with examples</span></a>
<a href="api/status"><strong>Status</strong><span>What runs here, and how it is</span></a>
<a href="openapi.json"><strong>OpenAPI document</strong><span>For generators of clients</span></a>
<a href="llms.txt"><strong>llms.txt</strong><span>The same for a language model</span></a>
</nav>
<h2>How to begin</h2>
<ol>
<li><strong>Sign in with a wallet.</strong> Ask for a message at <a href="docs/reference/postAuthChallenge"><code>POST /api/auth/challenge</code></a>, sign it, and send it to <a href="docs/reference/postAuthVerify"><code>POST /api/auth/verify</code></a>. The answer has a token.</li>
<li><strong>Make an API key</strong> with the token: <a href="docs/reference/postKeysGenerate"><code>POST /api/keys/generate</code></a>. It is shown once.
<pre tabindex="0">curl -X POST '${at}/api/keys/generate' \\
  -H "Authorization: Bearer $TOKEN"</pre></li>
<li><strong>Put money in,</strong> as <a href="docs/reference/getConfig"><code>GET /api/config</code></a> says, and <strong>issue a card</strong> to your agent.
<pre tabindex="0">curl -X POST '${at}/api/issue' \\
  -H "Authorization: Bearer $PURSER_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"purpose":"Research agent","limit_amount":5}'</pre></li>
<li><strong>Let the agent pay</strong> with <a href="docs/reference/postPay"><code>POST /api/pay</code></a>, or <strong>get paid</strong> yourself: open a link with <a href="docs/reference/postPaylinks"><code>POST /api/paylinks</code></a>.</li>
</ol>
<footer><p>Version ${escapeHtml(version)} · API ${API_VERSION}. No tracking, and nothing is loaded from anywhere else.</p></footer>
</main>
</body>
</html>
`
}
