import { type Answer, ask, membersOf } from './ask.ts'
import type { Deadline } from './clock.ts'
import { payingNote, receiptNote, seenNote } from './kept.ts'

const EVERY_MS = 2000

/**
 * Runs `look` every two seconds while the page is visible, until it returns true: at once when the page is seen again, or the network
 * is back.
 */
function whileVisible(look: () => Promise<boolean>): { now(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isLooking = false
  let isOver = false
  const tick = async () => {
    clearTimeout(timer)
    if (isOver || isLooking) return
    isLooking = true
    isOver = document.visibilityState === 'visible' && (await look())
    isLooking = false
    if (!isOver) timer = setTimeout(() => void tick(), EVERY_MS)
  }
  const now = () => void tick()
  timer = setTimeout(now, EVERY_MS)
  document.addEventListener('visibilitychange', now)
  window.addEventListener('online', now)
  return { now }
}

/** So many questions without an answer in a row are a lost connection. */
const LOST_AFTER = 2
const LIVE_MS = 10_000
let unanswered = 0
/** When this page was last known to be true. */
let heardAt = new Date()

/** Asks the service, and says on the page when it does not answer any more: what is shown may be out of date then. */
async function askLive(url: string, accept: string): Promise<Answer | undefined> {
  const answer = await ask(url, { accept }, LIVE_MS)
  const isHeard = answer !== undefined && answer.status < 500
  unanswered = isHeard ? 0 : unanswered + 1
  if (isHeard) heardAt = new Date()
  const shown = document.querySelector('[data-lost]')
  if (isHeard) shown?.remove()
  else if (unanswered >= LOST_AFTER && !shown) document.querySelector('main')?.prepend(lostNote())
  return answer
}

function lostNote(): HTMLElement {
  const note = document.createElement('div')
  note.className = 'note warn'
  note.dataset.lost = ''
  note.setAttribute('role', 'status')
  note.textContent = `The service does not answer. This page is as of ${heardAt.toLocaleTimeString()}: before you pay, wait until the service answers again.`
  return note
}

let isLeaving = false

/** Opens the page of a payment. No change of the link's state takes the payer elsewhere while that page is slow to come. */
export function leaveFor(url: string): void {
  isLeaving = true
  location.assign(url)
}

type Seen = { tx_hash: string; confirmations: number; needed: number } | null

/** Reloads the page once the link's status, or its payment, differs from the one shown. */
export function followLink(
  link: { code: string; base: string; address: string; state: string; seen: string },
  of: { isBusy: () => boolean; mayWait: () => boolean; deadlines: readonly Deadline[] },
): { now(): void } {
  if (link.state === 'ACTIVE') payingNote.write(link.code, '1')
  return whileVisible(async () => {
    const url = `${link.base}/api/paylinks/${link.code}/status`
    const answer = await askLive(url, 'application/json')
    if (answer?.status !== 200 && answer?.status !== 410) return false
    const {
      status,
      seen = null,
      seconds_left: left,
    } = membersOf(answer.text) as { status?: string; seen?: Seen; seconds_left?: number }
    if (left !== undefined) for (const deadline of of.deadlines) deadline.hear(left)
    const isSame = status === link.state && (seen?.tx_hash ?? '') === link.seen
    if (isSame && seen) showDepth(seen)
    if (status === undefined || isSame || isLeaving || of.isBusy()) return false
    // A payment of somebody else takes nothing away that is being typed.
    if (status === link.state && of.mayWait()) return false
    if (seen) seenNote.write(link.code, seen.tx_hash)
    location.replace(link.address)
    return true
  })
}

/**
 * Says, on a page that is open again, that the payment which it saw before did not pay the link. Only this browser's
 * session learns it: the payment is its payer's affair.
 */
export async function tellOfException(link: { code: string; page: string; seen: string }) {
  if (link.seen) return seenNote.write(link.code, link.seen)
  const hash = seenNote.read(link.code)
  if (!hash) return
  const path = `${link.page}/paid?tx_hash=${hash}`
  const shown = await pageAt(path)
  if (shown?.body.dataset.state !== 'payment-exception') return
  const text = 'The payment that this page saw arrived, and did not pay the link. '
  showWay(text, { href: path, words: 'See what arrived, and what becomes of it' })
}

/** Leads the payer back to the receipt, on the page of a link that was paid in this browser. */
export function leadToReceipt({ code, page }: { code: string; page: string }): void {
  const hash = seenNote.read(code)
  const query = receiptNote.read(code) ?? (hash && `?tx_hash=${hash}`)
  if (query)
    showWay('It was paid while this browser had the link open. ', {
      href: `${page}/paid${query}`,
      words: 'See the receipt',
    })
}

/** A line at the head of the ways to pay, which says how a payment goes. */
export function showProgress(): (text: string) => void {
  const note = document.createElement('div')
  note.className = 'note'
  note.setAttribute('role', 'status')
  document.querySelector('#pay')?.prepend(note)
  return (text) => {
    note.textContent = text
  }
}

function showWay(text: string, { href, words }: { href: string; words: string }): void {
  const [note, line, more] = ['div', 'p', 'a'].map((name) => document.createElement(name))
  if (!note || !line || !(more instanceof HTMLAnchorElement)) return
  note.className = 'note'
  note.setAttribute('role', 'status')
  more.textContent = words
  more.href = href
  line.append(text, more)
  note.append(line)
  document.querySelector('#pay')?.prepend(note)
}

/** One of our pages, which say their state; undefined if none comes, or another's comes, as a proxy's. */
async function pageAt(url: string): Promise<Document | undefined> {
  const answer = await askLive(url, 'text/html')
  if (answer?.status !== 200) return undefined
  const page = new DOMParser().parseFromString(answer.text, 'text/html')
  return page.body.dataset.state === undefined ? undefined : page
}

function showDepth({ confirmations, needed }: NonNullable<Seen>): void {
  const shown = document.querySelector('[data-depth]')
  const text = `${confirmations} of about ${needed} confirmations`
  if (shown && shown.textContent !== text) shown.textContent = text
}

/** Replaces the shown state of a payment as soon as it changes. */
export function followPayment(): void {
  const shown = document.body.dataset.state
  whileVisible(async () => {
    const next = await pageAt(location.href)
    const main = next?.querySelector('main')
    if (!next || !main) return false
    const now = document.querySelector('[role=status]')
    const said = next.querySelector('[role=status]')?.textContent
    if (next.body.dataset.state === shown) {
      if (now && said && now.textContent !== said) now.textContent = said
      return false
    }
    document.querySelector('main')?.replaceWith(main)
    document.title = next.title
    document.body.dataset.state = next.body.dataset.state ?? ''
    main.querySelector('h1')?.setAttribute('tabindex', '-1')
    main.querySelector('h1')?.focus()
    document.dispatchEvent(new Event('checkout:shown'))
    return true
  })
}
