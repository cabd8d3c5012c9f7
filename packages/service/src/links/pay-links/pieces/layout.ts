import type { Asset } from '../../../base/kernel/assets.ts'
import { formatAmount } from '../../../base/kernel/money.ts'
import { type Html, html, markupOf } from './html.ts'

type Page = {
  title: string
  /** The prefix of the service's paths, e.g. `` or `/purser`, for the style sheet and the script. */
  base: string
  /** Shown at the top left; the service's name without it. */
  brand?: Html
  /** The seller's color of the button that pays, as #rrggbb. */
  accent?: string | null
  /** Shown at the top right: the network, marked where its money is worth nothing. */
  network?: { name: string; isTest: boolean }
  /** The target of the skip link for keyboards. */
  skipTo?: { id: string; text: string }
  /** Data for the script, as `data-` attributes. */
  data?: Record<string, string>
  /** Asks again by itself every three seconds; the script does so without loading the page anew. */
  isWaiting?: boolean
  /** Without a script a page that waits leads to this path, once there was time to read it. */
  leadsTo?: string
  main: Html
}

/** The whole document. It asks nobody but this service for anything, and reads the same without its script. */
export const document = (page: Page): string =>
  `<!doctype html>\n${markupOf(html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${page.title}</title>
<link rel="icon" href="${page.base}/favicon.svg">
<link rel="stylesheet" href="${page.base}/assets/checkout.css">
${page.accent && html`<link rel="stylesheet" href="${page.base}/accents/${page.accent.slice(1)}">`}
<script type="module" src="${page.base}/assets/checkout.js"></script>
${page.isWaiting && html`<noscript><meta http-equiv="refresh" content="${page.leadsTo ? `10;url=${page.leadsTo}` : '3'}"></noscript>`}
</head>
<body${Object.entries(page.data ?? {}).map(([name, value]) => html` data-${name}="${value}"`)}>
${page.skipTo && html`<a class="skip" href="#${page.skipTo.id}">${page.skipTo.text}</a>`}
<header class="top">
${page.brand ?? html`<p class="brand">Purser</p>`}
${page.network && html`<p class="${page.network.isTest ? 'network test' : 'network'}">${page.network.name}</p>`}
</header>
<main>
${page.main}
</main>
<footer class="foot"><p>${page.brand && 'Paid through Purser. '}No tracking, and nothing is loaded from anywhere else. <a href="${page.base}/docs">For developers</a></p></footer>
</body>
</html>
`)}`

/** The RPC is the network's public one, for wallets that do not know the network yet. */
type Known = { name: string; isTest: boolean; rpcUrl: string; explorerUrl: string }
const NETWORKS: Readonly<Record<number, Known>> = {
  8453: {
    name: 'Base',
    isTest: false,
    rpcUrl: 'https://mainnet.base.org',
    explorerUrl: 'https://basescan.org',
  },
  84532: {
    name: 'Base Sepolia',
    isTest: true,
    rpcUrl: 'https://sepolia.base.org',
    explorerUrl: 'https://sepolia.basescan.org',
  },
}

/** The addresses by which a wallet adds a network that it does not know, for the script. Empty for one unknown here too. */
export function networkData(asset: Asset, localRpcUrl: string | null): Record<string, string> {
  if (localRpcUrl !== null) return { 'rpc-url': localRpcUrl }
  const known = NETWORKS[asset.chainId]
  return known ? { 'rpc-url': known.rpcUrl, 'explorer-url': known.explorerUrl } : {}
}

/** The network in words. On a local chain the id alone would name a network that the money is not on. */
export function networkName(
  asset: Asset,
  isLocal: boolean,
): { name: string; label: string; isTest: boolean } {
  if (isLocal)
    return { name: 'a local test chain', label: 'Local chain · test money', isTest: true }
  const known = NETWORKS[asset.chainId] ?? { name: `chain ${asset.chainId}`, isTest: false }
  return { ...known, label: known.isTest ? `${known.name} · test network` : known.name }
}

/** An amount as people read it: grouped thousands, two decimals at least where the asset has them. */
export function moneyText(value: bigint, asset: Asset): string {
  const [whole = '', fraction = ''] = formatAmount(value, asset.decimals).split('.')
  const shown = fraction.padEnd(Math.min(2, asset.decimals), '0')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${shown && `.${shown}`}`
}

/** The same sum without grouping, to be typed into a wallet. */
export const plainMoney = (value: bigint, asset: Asset): string =>
  moneyText(value, asset).replaceAll(',', '')

/** The sum in large type; smaller if it is long, so that it fits on one line of a phone, or breaks at its point. */
export function figure(value: bigint, asset: Asset): Html {
  const text = moneyText(value, asset)
  const [whole = '', fraction] = text.split('.')
  return html`<span class="figure${text.length > 10 && html` long`}">${whole}${fraction !== undefined && html`.<wbr>${fraction}`}</span> <span class="symbol">${asset.symbol}</span>`
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const shortAddress = (address: string): string =>
  `${address.slice(0, 6)}…${address.slice(-4)}`

const WHEN = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})
/** A moment as people read it, with the machine's form beside it. */
export const moment = (at: Date): Html =>
  html`<time datetime="${at.toISOString()}">${WHEN.format(at)} UTC</time>`

/** How long until `until`: the two largest units, e.g. `2 hours 5 minutes`. */
export function timeLeft(from: Date, until: Date): string {
  const minutes = Math.max(0, Math.floor((until.getTime() - from.getTime()) / 60_000))
  if (minutes === 0) return 'less than a minute'
  const parts: [count: number, unit: string][] = [
    [Math.floor(minutes / 1440), 'day'],
    [Math.floor((minutes % 1440) / 60), 'hour'],
    [minutes % 60, 'minute'],
  ]
  const first = parts.findIndex(([count]) => count > 0)
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`)
    .join(' ')
}

/** A value to be copied, and its unit. The button is for the script; without it the text can be selected. */
export const copyable = (value: string, what: string, unit?: string): Html =>
  html`<span class="copyable"><code>${value}</code>${unit && html`<span>${unit}</span>`}<button type="button" class="copy" data-copy="${value}" aria-label="Copy ${what}" hidden>Copy</button></span>`

/** One row of a list of facts. */
export const fact = (name: string, value: Html | string): Html =>
  html`<div><dt>${name}</dt><dd>${value}</dd></div>`
