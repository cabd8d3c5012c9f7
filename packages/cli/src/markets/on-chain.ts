import type { Purser } from '@purser/sdk'
import { openWallet, type WalletOptions } from '../account/login.ts'
import { type AccountOptions, type DevFile, findService } from '../context.ts'
import { askDevChain } from '../dev-chain.ts'
import { Fault } from '../fault.ts'
import { readJsonFile } from '../files.ts'
import { type CliWallet, type TypedData, walletOf } from '../wallet.ts'
import { sendByDemoWallet } from './send.ts'

/** The wallet that signs, or the signature that a wallet elsewhere has made. */
export type Signing = AccountOptions & WalletOptions & { signature?: string }

const UNITS = 1_000_000
const APPROVAL_GAS = 100_000
const LOOK_MS = 1_000
const LOOKS = 3_700

/** The wallet of the options; else the demo wallet, which is good for the local development service alone. */
async function findWallet(options: Signing): Promise<{ wallet: CliWallet; dev?: DevFile }> {
  if (options.walletFile || options.keystore) return { wallet: await openWallet(options) }
  const { baseUrl, dev } = await findService(options)
  if (dev && new URL(dev.base_url).origin === new URL(baseUrl).origin)
    return { wallet: walletOf(dev.demo.private_key), dev }
  throw new Fault(
    'Name the wallet that signs with --keystore FILE or --wallet-file FILE, or sign elsewhere what `market prepare` prints and pass --signature.',
  )
}

/** Lists a card on chain: prepares the terms, and signs them if no signature is given. */
export async function sellOnChain(
  purser: Purser,
  options: Signing,
  { card, price }: { card: string; price: string },
) {
  const body = { card_id: card, price }
  const seller_signature = options.signature ?? (await signTerms(purser, options, body))
  return purser.POST('/api/listings', { body: { ...body, mode: 'onchain', seller_signature } })
}

async function signTerms(
  purser: Purser,
  options: Signing,
  body: { card_id: string; price: string },
): Promise<string> {
  const { wallet, dev } = await findWallet(options)
  const { typed_data, transactions } = await purser.POST('/api/listings/prepare', { body })
  checkMessage(typed_data, {
    primaryType: 'Listing',
    seller: wallet.address,
    price: unitsOf(body.price),
  })
  for (const { to, data } of transactions) {
    if (!dev)
      throw new Fault(
        `The market may not move your identity token yet. Send this from your wallet, then list again: to ${to}, data ${data}`,
      )
    const count = await askDevChain(dev.rpc_url, 'eth_getTransactionCount', [
      wallet.address,
      'latest',
    ])
    const call = { step: 'approve', to, data, value: '0', gas: APPROVAL_GAS }
    await sendByDemoWallet({ nonce: Number(count), token: '', transactions: [call] })
  }
  return wallet.signTypedData(typed_data)
}

type Listing = { id: string; price: number; status: string }
type Purchase = Signing & { payment?: string; wait?: boolean }

/** Pays a listing on chain. Returns the listing as it was accepted, or as it ended if asked to wait. */
export async function buyOnChain(
  purser: Purser,
  options: Purchase & { cardVersion?: string },
  listing: Listing,
) {
  const params = { path: { id: listing.id } }
  const { message, signature } = await signPayment(purser, options, listing)
  const authorization = {
    from: String(message.from),
    to: String(message.to),
    value: String(message.value),
    valid_after: String(message.validAfter),
    valid_before: String(message.validBefore),
    nonce: String(message.nonce),
    signature,
  }
  const version = options.cardVersion
  const body = { authorization, ...(version !== undefined && { version }) }
  const accepted = await purser.POST('/api/listings/{id}/buy', { params, body })
  if (!options.wait) return { listing: accepted.listing }
  for (let looks = 0; looks < LOOKS; looks++) {
    const found = await purser.GET('/api/listings/{id}', { params })
    if (found.listing.status === 'SOLD') return found
    if (found.listing.status !== 'SETTLING')
      throw new Fault(`The sale came to nothing: the listing is ${found.listing.status} again.`)
    await new Promise((done) => setTimeout(done, LOOK_MS))
  }
  throw new Fault('The sale has not ended yet: look again with `market show`.')
}

async function signPayment(
  purser: Purser,
  options: Purchase,
  listing: Listing,
): Promise<{ message: TypedData['message']; signature: string }> {
  if (options.signature !== undefined) {
    if (!options.payment)
      throw new Fault('Name what was signed with --payment FILE: `market prepare --save` made it.')
    return { message: (await readPrepared(options.payment)).message, signature: options.signature }
  }
  const { wallet } = await findWallet(options)
  const params = { path: { id: listing.id } }
  const { typed_data, holder } = await purser.GET('/api/listings/{id}/buy/prepare', { params })
  if (!options.json)
    process.stdout.write(
      `The account ${holder.address} pays you ${holder.pays_buyer} USDC in the sale. ${holder.not_promised}\n`,
    )
  checkMessage(typed_data, {
    primaryType: 'ReceiveWithAuthorization',
    from: wallet.address,
    value: unitsOf(listing.price),
  })
  return { message: typed_data.message, signature: wallet.signTypedData(typed_data) }
}

const readPrepared = (file: string): Promise<TypedData> =>
  readJsonFile(file, {
    pick: (value) => {
      const typed = (value as { typed_data?: TypedData } | null)?.typed_data
      return typed?.message ? typed : undefined
    },
    lack: 'it should hold what to sign, as `market prepare --save` makes it.',
  })

const unitsOf = (price: string | number): string => String(Math.round(Number(price) * UNITS))

/** A key signs what its owner asked for, whatever the service answers. */
function checkMessage(
  { primaryType, message }: TypedData,
  wanted: { primaryType: string } & Record<string, string>,
): void {
  const { primaryType: type, ...fields } = wanted
  const isAsked = Object.entries(fields).every(
    ([name, value]) => String(message[name]).toLowerCase() === value.toLowerCase(),
  )
  if (primaryType !== type || !isAsked)
    throw new Fault('The service asks to sign something else than this sale. Nothing was signed.')
}
