import { type Asset, isContract, shortfall } from './account.ts'
import { paymentNote, receiptNote } from './kept.ts'
import { leaveFor } from './live.ts'
import { type Chain, connect, switchChain, type Wallet, watchWallets, wordsOf } from './wallets.ts'
import { askOffer, Refused, type SignedPayment, sendPayment, signPayment } from './x402.ts'

type Link = {
  code: string
  page: string
  base: string
  chain: Chain
  asset: Asset
  /** The address of the asset's contract. */
  token: string
  /** The sum on the page, in base units. */
  value: string
  /** The payer's amount, on a link without one. */
  amount: string | null
}

/** How long after its end an authorization may still be confirmed: any holder could have sent it in time. */
const CONFIRM_MS = 90_000

const UNCLEAR =
  'No clear answer came. Load this page again to see whether the link is paid before you pay anew.'

/** Fills the panel of browser wallets. Returns whether a payment is in progress. */
export function offerWallets(panel: HTMLElement, link: Link): { isBusy: () => boolean } {
  const choices = panel.querySelector<HTMLElement>('[data-choices]')
  const progress = panel.querySelector<HTMLElement>('[data-progress]')
  if (!choices || !progress) return { isBusy: () => false }
  const elsewhere = panel.querySelector<HTMLElement>('[data-elsewhere]')
  let isBusy = false

  const say: Say = (text, tone = 'plain') => {
    progress.textContent = text
    progress.className = `progress ${tone}`
  }
  const lock = (locked: boolean) => {
    isBusy = locked
    panel.toggleAttribute('data-busy', locked)
    for (const button of choices.querySelectorAll('button')) button.disabled = locked
  }

  async function attempt(work: () => Promise<SignedPayment>) {
    if (isBusy) return
    lock(true)
    const payment = await work().catch((error: unknown) => {
      say(error instanceof Refused ? error.message : wordsOf(error), 'bad')
    })
    // From here on the payment may have been made: no later error may say that nothing was paid.
    if (payment)
      await finish(link, payment, say).catch((error: unknown) => {
        say(UNCLEAR, 'bad')
        reportError(error)
      })
    lock(false)
  }

  async function sign(wallet: Wallet): Promise<SignedPayment> {
    say('Choose an account in the wallet…')
    const account = await connect(wallet.provider)
    await switchChain(wallet.provider, link.chain, () =>
      say(`The wallet is on another network. Let it switch to ${link.chain.name}…`),
    )
    const url = link.amount === null ? link.page : `${link.page}?amount=${link.amount}`
    const { token, value } = link
    const asked = await askOffer({ url, chainId: link.chain.id, token, value })
    const short = await shortfall(wallet.provider, {
      ...{ account, token, value: BigInt(value), chain: link.chain, asset: link.asset },
    })
    if (short) throw new Refused(short)
    const isOwned = await isContract(wallet.provider, account)
    say(
      isOwned
        ? 'The account is a contract. Sign the payment in the wallet, as its owner…'
        : 'Sign the payment in the wallet…',
    )
    return signPayment(wallet.provider, account, { ...asked, url, chainId: link.chain.id })
  }

  watchWallets((wallets) => {
    choices.replaceChildren(
      ...wallets.map((wallet) => buttonOf(panel, wallet, () => attempt(() => sign(wallet)))),
    )
    if (elsewhere) elsewhere.hidden = wallets.length > 0
    panel.hidden = !elsewhere && wallets.length === 0 && progress.textContent === ''
    lock(isBusy)
  })
  const unfinished = kept(link.code)
  if (unfinished) {
    panel.hidden = false
    void attempt(async () => unfinished)
  }
  return { isBusy: () => isBusy }
}

/**
 * Finishes a payment that was signed in this tab, on the page of a link that has ended since: by this very payment, perhaps.
 * `say` shows how it goes.
 */
export async function finishKept(link: Pick<Link, 'code' | 'page'>, say: () => Say): Promise<void> {
  const unfinished = kept(link.code)
  if (unfinished) await finish(link, unfinished, say())
}

export type Say = (text: string, tone?: 'plain' | 'bad') => void

/** Presents the payment until it has ended, and opens its receipt. */
async function finish(
  link: Pick<Link, 'code' | 'page'>,
  payment: SignedPayment,
  say: Say,
): Promise<void> {
  keep(link.code, payment)
  for (;;) {
    say('Paying. Keep this page open for a moment…')
    const sent = await sendPayment(payment)
    if (sent.kind === 'again') {
      if (Date.now() > payment.endsAtMs + CONFIRM_MS) {
        say(UNCLEAR, 'bad')
        return
      }
      say('The payment is on its way. Waiting for the network…')
      await new Promise((resolve) => setTimeout(resolve, sent.afterMs))
      continue
    }
    if (sent.kind === 'refused') {
      forget(link.code)
      say(sent.message, 'bad')
      return
    }
    const query = `?settlement=${encodeURIComponent(sent.settlementId)}`
    receiptNote.write(link.code, query)
    forget(link.code)
    say('Paid. Opening the receipt…')
    leaveFor(`${link.page}/paid${query}`)
    return
  }
}

function buttonOf(panel: HTMLElement, wallet: Wallet, pay: () => Promise<void>): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'primary'
  const name = document.createElement('bdi')
  // Any extension of the browser may name itself as it likes.
  name.textContent = wallet.name.replace(/[\p{Cc}\p{Cf}]/gu, '').slice(0, 60)
  const words = document.createElement('span')
  words.append(`${panel.dataset.wallets} `, name)
  button.append(words)
  if (wallet.icon) {
    const icon = document.createElement('img')
    icon.src = wallet.icon
    icon.alt = ''
    button.prepend(icon)
  }
  button.addEventListener('click', () => void pay())
  return button
}

/** A signed payment survives a reload of the page, so that it is sent again instead of a second one being signed. */
const keep = (code: string, payment: SignedPayment): void =>
  paymentNote.write(code, JSON.stringify(payment))
const forget = (code: string): void => paymentNote.drop(code)

function kept(code: string): SignedPayment | undefined {
  const text = paymentNote.read(code)
  if (text === null) return undefined
  const payment = JSON.parse(text) as SignedPayment
  if (Date.now() < payment.endsAtMs + CONFIRM_MS) return payment
  forget(code)
  return undefined
}
