import { readFileSync } from 'node:fs'
import { sha256 } from '../../base/kernel/secrets.ts'
import { PACKAGE } from '../../places.ts'

/** The colours, type and space of everything that people see. */
const TOKENS = readFileSync(new URL('../web/design/tokens.css', PACKAGE), 'utf8')

/** The style of plain pages. Both color schemes keep text at a contrast of 4.5 or more. */
export const PAGE_STYLE = `${TOKENS}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:17px/1.6 var(--sans)}
main{max-width:46rem;margin:0 auto;padding:2rem clamp(1rem,4vw,2rem) 4rem}
header{display:flex;justify-content:space-between;align-items:center;gap:1rem;flex-wrap:wrap}
.brand{margin:0;font-size:1.2rem;font-weight:700}
.badge{margin:0;padding:.15rem .7rem;border:1px solid var(--line);border-radius:99px;background:var(--panel);color:var(--soft);font-size:.85rem}
h1{margin:2.5rem 0 .5rem;font-size:clamp(1.8rem,5vw,2.5rem);line-height:1.15}
.lead{margin:0;color:var(--soft);font-size:1.1rem}
nav{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr));gap:.8rem;margin:2rem 0 2.5rem}
nav a{display:block;padding:.9rem 1.1rem;border:1px solid var(--line);border-radius:10px;background:var(--panel);color:var(--text);text-decoration:none}
nav a:hover{border-color:var(--accent)}
nav strong,nav span{display:block}
nav strong{color:var(--accent)}
nav span{color:var(--soft);font-size:.92rem}
h2{margin:0 0 .5rem;font-size:1.35rem}
ol{margin:0;padding-left:1.4rem}
li{margin:1rem 0}
a{color:var(--accent)}
a:focus-visible,pre:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
code,pre{font:.86em/1.55 var(--mono)}
pre{margin:.6rem 0 0;padding:.9rem 1.1rem;overflow-x:auto;border:1px solid var(--line);border-radius:8px;background:var(--panel)}
footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--soft);font-size:.9rem}
`

/** A policy for pages that run and load nothing. It allows their one inline style sheet by its hash. */
export const policyFor = (style: string): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${sha256(style).toString('base64')}'`,
    "base-uri 'none'",
    "img-src 'self' data:",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
