import '../design/tokens.css'
import './checkout.css'
import './ways.css'
import './print.css'
import { offerBinding } from './bind-payment.ts'
import { countDown } from './clock.ts'
import { copyText } from './copy.ts'
import { payingNote, receiptNote } from './kept.ts'
import { followLink, followPayment, leadToReceipt, showProgress, tellOfException } from './live.ts'
import { finishKept, offerWallets } from './pay-by-wallet.ts'
import { offerReturn } from './return.ts'

/** The page works without this script, which adds copy buttons, browser wallets and live updates. */
const {
  state = '',
  code = '',
  base = '',
  page = '',
  chainId,
  network = '',
  symbol = '',
  decimals = '0',
  rpcUrl = '',
  explorerUrl = '',
  amount,
  value = '',
  token = '',
  seen = '',
  isOpen,
  several,
} = document.body.dataset

const COPIED_MS = 1500

function offerCopying(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    if (!button.hidden) continue
    button.hidden = false
    button.addEventListener('click', async () => {
      const isCopied = await copyText(button.dataset.copy ?? '', button)
      button.textContent = isCopied ? 'Copied' : 'Not allowed'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, COPIED_MS)
    })
  }
}

function offerPrinting(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-print]')) {
    button.hidden = false
    button.addEventListener('click', () => window.print())
  }
}

/** How long a submitted form stays disabled if no new page loads. */
const SENT_MS = 15_000
/** The service answers within this time. Until then the page is left to the answer. */
const ANSWER_MS = 60_000

/** Ignores a second click while the form is being sent. Returns whether its answer may still come. */
function sendFormsOnce(): () => boolean {
  let isSent = false
  let sentAt = Number.NEGATIVE_INFINITY
  const mark = (form: HTMLFormElement, sent: boolean) => {
    isSent = sent
    for (const button of form.querySelectorAll('button'))
      button.setAttribute('aria-disabled', String(sent))
  }
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-once]'))
    form.addEventListener('submit', (event) => {
      if (isSent) return event.preventDefault()
      mark(form, true)
      sentAt = performance.now()
      setTimeout(() => mark(form, false), SENT_MS)
    })
  // The browser may restore the page from its cache: enable its forms again.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload()
  })
  return () => performance.now() - sentAt < ANSWER_MS
}

offerCopying()
document.addEventListener('checkout:shown', offerCopying)
const isSent = sendFormsOnce()
for (const field of document.querySelectorAll<HTMLElement>('[data-binding]')) offerBinding(field)

/** The payment of this page has ended well. */
function showPaid(): void {
  if (document.body.dataset.state !== 'payment-settled') return
  offerPrinting()
  // A receipt that somebody else is shown is not this browser's, and one that is opened again leads nobody away.
  if (payingNote.read(code) === null) return
  payingNote.drop(code)
  receiptNote.write(code, location.search)
  offerReturn()
}
showPaid()
document.addEventListener('checkout:shown', showPaid)
if (state === 'payment-pending') followPayment()
if (state === 'COMPLETED') leadToReceipt({ code, page })
if (/^(?:COMPLETED|EXPIRED|CANCELLED)$/.test(state))
  void finishKept({ code, page }, showProgress).catch(reportError)

/** Something is typed into a form that the page did not come with. */
const isTyping = (): boolean =>
  [...document.querySelectorAll<HTMLInputElement>('form input')].some(
    (field) => field.type !== 'hidden' && field.value !== field.defaultValue,
  )

/** The wallets of the browser pay the link. Returns whether one is about to. */
function offerLink(chosen: string | null): () => boolean {
  const panel = document.querySelector<HTMLElement>('[data-wallets]')
  if (!panel) return () => false
  const { isBusy } = offerWallets(panel, {
    ...{ code, page, base, token, value, amount: chosen },
    chain: { id: Number(chainId), name: network, rpcUrl, explorerUrl },
    asset: { symbol, decimals: Number(decimals) },
  })
  return isBusy
}

/** Keeps the page of a link true: also of one that has ended, since a transfer may have come in just before. */
function follow(): void {
  const chosen = isOpen === undefined ? null : (amount ?? null)
  const isPaying = state === 'ACTIVE' ? offerLink(chosen) : () => false
  void tellOfException({ code, page, seen }).catch(reportError)
  const deadlines = [...document.querySelectorAll<HTMLElement>('[data-seconds-left]')].map(
    (shown) => countDown(shown, () => followed.now()),
  )
  const address = chosen === null ? page : `${page}?amount=${chosen}`
  const followed = followLink(
    { code, base, address, state, seen },
    {
      isBusy: () => isSent() || isPaying(),
      mayWait: () => several !== undefined && isTyping(),
      deadlines,
    },
  )
}
if (/^(?:ACTIVE|EXPIRED|CANCELLED)$/.test(state)) follow()
