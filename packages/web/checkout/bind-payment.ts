import { connect, type Wallet, watchWallets, wordsOf } from './wallets.ts'

const HASH = /^0x[0-9a-f]{64}$/i
const PLACEHOLDER = '{tx_hash}'

/** Fills the hash into the message that the sender of a transfer signs, and has a wallet of this browser sign it. */
export function offerBinding(field: HTMLElement): void {
  const form = field.closest('form')
  const hash = form?.querySelector<HTMLInputElement>('[name=tx_hash]')
  const address = form?.querySelector<HTMLInputElement>('[name=from_address]')
  const signature = field.querySelector<HTMLInputElement>('[name=signature]')
  const shown = field.querySelector<HTMLElement>('[data-message]')
  const hint = field.querySelector<HTMLElement>('[data-hint]')
  const signers = field.querySelector<HTMLElement>('[data-signers]')
  const progress = field.querySelector<HTMLElement>('[data-progress]')
  if (!hash || !address || !signature || !shown || !hint || !signers || !progress) return
  const template = field.dataset.binding ?? ''
  let wallets: Wallet[] = []
  let signed = ''

  const message = (): string | undefined => {
    const text = hash.value.trim().toLowerCase()
    return HASH.test(text) ? template.replace(PLACEHOLDER, text) : undefined
  }
  const say = (text: string, tone: 'plain' | 'bad' = 'plain') => {
    progress.textContent = text
    progress.className = `progress ${tone}`
  }
  const show = () => {
    const text = message()
    shown.hidden = text === undefined
    signers.hidden = text === undefined || wallets.length === 0
    hint.textContent = (text === undefined ? hint.dataset.before : hint.dataset.after) ?? ''
    const code = shown.querySelector('code')
    const copy = shown.querySelector<HTMLButtonElement>('button[data-copy]')
    if (code) code.textContent = text ?? ''
    if (copy) copy.dataset.copy = text ?? ''
    // A signature of another hash says nothing of this one.
    if (signed !== '' && signed !== text && signature.value !== '') {
      signature.value = ''
      say('')
    }
  }
  const sign = async ({ provider }: Wallet) => {
    const text = message()
    if (text === undefined) return
    say('Choose the account that paid, and sign the message in the wallet…')
    try {
      const account = address.value.trim() || (await connect(provider))
      const hex = [...new TextEncoder().encode(text)].map((byte) =>
        byte.toString(16).padStart(2, '0'),
      )
      const made = await provider.request({
        method: 'personal_sign',
        params: [`0x${hex.join('')}`, account],
      })
      if (message() !== text) return say('The hash has changed. Sign again.', 'bad')
      signed = text
      signature.value = String(made)
      address.value = account
      say('Signed. Now send the report below.')
    } catch (error) {
      say(wordsOf(error, 'Nothing was signed.'), 'bad')
    }
  }

  hash.addEventListener('input', show)
  watchWallets((found) => {
    wallets = found
    signers.replaceChildren(...found.map((wallet) => buttonOf(wallet, () => sign(wallet))))
    show()
  })
  show()
}

function buttonOf(wallet: Wallet, sign: () => Promise<void>): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'secondary'
  button.textContent = `Sign with ${wallet.name}`
  button.addEventListener('click', async () => {
    button.disabled = true
    await sign()
    button.disabled = false
  })
  return button
}
