import { ask, membersOf } from './ask.ts'

const EVERY_MS = 2000

/** Runs `look` every two seconds while the page is visible, until it returns true. */
function whileVisible(look: () => Promise<boolean>): void {
  const tick = async () => {
    if (document.visibilityState === 'visible' && (await look())) return
    setTimeout(() => void tick(), EVERY_MS)
  }
  setTimeout(() => void tick(), EVERY_MS)
}

type Seen = { tx_hash: string; confirmations: number; needed: number } | null

/** Reloads the page once the link's status, or its payment, differs from the one shown. */
export function followLink(
  link: { code: string; base: string; state: string; seen: string },
  isBusy: () => boolean,
): void {
  whileVisible(async () => {
    const url = `${link.base}/api/paylinks/${link.code}/status`
    const answer = await ask(url, { accept: 'application/json' })
    if (answer?.status !== 200 && answer?.status !== 410) return false
    const { status, seen = null } = membersOf(answer.text) as { status?: string; seen?: Seen }
    const isSame = status === link.state && (seen?.tx_hash ?? '') === link.seen
    if (isSame && seen) showDepth(seen)
    if (status === undefined || isSame || isBusy()) return false
    location.replace(location.pathname)
    return true
  })
}

const keyOf = (code: string): string => `purser:seen:${code}`

/**
 * Says, on a page that is open again, that the payment which it saw before did not pay the link. Only this browser's
 * session learns it: the payment is its payer's affair.
 */
export async function tellOfException(link: { code: string; page: string; seen: string }) {
  if (link.seen) return sessionStorage.setItem(keyOf(link.code), link.seen)
  const hash = sessionStorage.getItem(keyOf(link.code))
  if (!hash) return
  const path = `${link.page}/paid?tx_hash=${hash}`
  const shown = await pageAt(path)
  if (shown?.body.dataset.state !== 'payment-exception') return
  const [note, text, more] = ['div', 'p', 'a'].map((name) => document.createElement(name))
  if (!note || !text || !(more instanceof HTMLAnchorElement)) return
  note.className = 'note'
  note.setAttribute('role', 'status')
  text.textContent = 'The payment that this page saw arrived, and did not pay the link. '
  more.textContent = 'See what arrived, and what becomes of it'
  more.href = path
  text.append(more)
  note.append(text)
  document.querySelector('#pay')?.prepend(note)
}

/** One of our pages, which say their state; undefined if none comes, or another's comes, as a proxy's. */
async function pageAt(url: string): Promise<Document | undefined> {
  const answer = await ask(url, { accept: 'text/html' })
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

/** Counts down to the link's end; by the second in the last hour. */
export function countDown(element: HTMLElement): void {
  const end = Date.parse(element.dataset.expires ?? '')
  const tick = () => {
    const seconds = Math.max(0, Math.round((end - Date.now()) / 1000))
    if (seconds < 3600)
      element.textContent = `in ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
    if (seconds > 0) setTimeout(tick, 1000)
  }
  tick()
}
