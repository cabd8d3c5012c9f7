import { PAGE_STYLE, policyFor } from '../../api/http/page-style.ts'
import { type Answer, answer } from '../../api/http/route.ts'
import { formatAmount } from '../../base/kernel/money.ts'
import { foreign, type Html, html, markupOf, trusted } from '../../links/pay-links/pieces/html.ts'

const STYLE = `${PAGE_STYLE}
main{max-width:60rem}
h1{font-size:clamp(1.3rem,4vw,1.7rem);overflow-wrap:anywhere}
h2{margin-top:2rem}
dl{display:grid;grid-template-columns:fit-content(17rem) 1fr;column-gap:1rem;margin:1.5rem 0 0}
dl div{display:grid;grid-column:1/-1;grid-template-columns:subgrid;padding:.5rem 0;border-bottom:1px solid var(--line)}
dt{min-width:9rem;color:var(--soft);overflow-wrap:anywhere}
dd{margin:0;overflow-wrap:anywhere}
section{margin-top:1rem;padding:.9rem 1.1rem;border:1px solid var(--line);border-radius:10px;background:var(--panel)}
section h3{margin:0;font-size:1rem;overflow-wrap:anywhere}
section dl{margin:.4rem 0 0}
section dl div:last-child{padding-bottom:0;border-bottom:0}
@media(max-width:44rem){dl{grid-template-columns:1fr}section{padding:.8rem .7rem}dd code{font-size:.7em}}
`
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policyFor(STYLE),
  'cache-control': 'no-store',
}

/** A page of the development chain's explorer: it runs no script and loads nothing. */
export const page = (status: number, title: string, main: Html): Answer =>
  answer(
    status,
    `<!doctype html>\n${markupOf(html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="/favicon.svg">
<style>${trusted(STYLE)}</style>
</head>
<body>
<main>
<header>
<p class="brand">Purser</p>
<p class="badge">Local chain · test money</p>
</header>
<h1>${title}</h1>
${main}
<footer>This chain runs inside this service, for development. Nothing here has any value.</footer>
</main>
</body>
</html>
`)}`,
    HEADERS,
  )

export const missing = (what: string): Answer =>
  page(
    404,
    'Not found',
    html`<p class="lead">The chain knows no ${what}. Check it, and that it is of this chain.</p>`,
  )

/** Values in a list of names. A fact without a value is left out. */
export const facts = (rows: readonly (readonly [string, Html | string | undefined])[]): Html =>
  html`<dl>${rows.flatMap(([name, value]) =>
    value === undefined ? [] : [html`<div><dt>${name}</dt><dd>${value}</dd></div>`],
  )}</dl>`

/** Links are relative to the pages' own folder, so that they work below any path. */
export const addressLink = (address: string, name?: string): Html =>
  html`<a href="../address/${address}"><code>${address}</code></a>${name && html` ${foreign(`(${name})`)}`}`
export const tokenLink = (address: string, text: string): Html =>
  html`<a href="../token/${address}">${foreign(text)}</a>`

/** In UTC, to the second: blocks have no finer time. */
export const timeOf = (at: Date): Html =>
  html`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 19).replace('T', ' ')} UTC</time>`

/** The exact amount, with its thousands apart. */
export function shownAmount(value: bigint, decimals: number): string {
  const [whole = '', fraction] = formatAmount(value, decimals).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}
