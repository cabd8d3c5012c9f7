import type { Card, EventType, PayLink, Purser } from '@purser/sdk'
import type { DevFile } from '../../context.ts'
import { askDevChain } from '../../dev-chain.ts'
import { Fault } from '../../fault.ts'

/** The local service, its chain, and the demo wallet that makes things happen. */
export type Stage = { dev: DevFile; purser: Purser }
/** Makes the real thing happen. */
export type Trigger = (stage: Stage) => Promise<unknown>
export type Triggers = Partial<Record<EventType, Trigger>>

export const issue = ({ purser }: Stage, limit = '1', more: object = {}): Promise<Card> =>
  purser.issueCard({ purpose: 'purser trigger', limit_amount: limit, ...more })

/** A pay link on a new card of the wallet. */
export async function openLink(stage: Stage, amount = '0.25', more: object = {}): Promise<PayLink> {
  const till = await issue(stage)
  const order = { card_id: till.id, amount, memo: 'purser trigger', ...more }
  return stage.purser.createPayLink(order)
}

/** A card of the wallet pays the link. */
export const payByCard = (
  { purser }: Stage,
  payer: Card,
  { code }: PayLink,
): Promise<{ transaction_id: string | null }> =>
  purser.POST('/api/pay/{code}/settle', {
    params: { path: { code } },
    body: { protocol: 'card', payer_card_id: payer.id, payer_card_token: payer.token },
  })

/** A card of the wallet pays a new link of the wallet. */
export async function settle(stage: Stage): Promise<string> {
  const link = await openLink(stage)
  const { transaction_id } = await payByCard(stage, await issue(stage), link)
  if (!transaction_id) throw new Fault('The payment has no transaction.')
  return transaction_id
}

/** Mints test USDC; the hash of its transaction. */
export const mint = async ({ purser }: Stage, to: string, amount: string): Promise<string> =>
  (await purser.POST('/api/dev/faucet', { body: { wallet_address: to, amount } })).tx_hash

const UNITS = 1_000_000n
/** `transfer(address,uint256)` */
const TRANSFER = '0xa9059cbb'

/** Sends whole USDC from any address, which the development chain allows. Returns the hash, mined. */
export async function transfer(
  stage: Stage,
  of: { from: string; to: string; amount: bigint },
): Promise<string> {
  const { dev, purser } = stage
  await mint(stage, of.from, String(of.amount))
  const word = (hex: string) => hex.replace(/^0x/, '').toLowerCase().padStart(64, '0')
  const data = TRANSFER + word(of.to) + word((of.amount * UNITS).toString(16))
  await askDevChain(dev.rpc_url, 'anvil_impersonateAccount', [of.from])
  const hash = await askDevChain(dev.rpc_url, 'eth_sendTransaction', [
    { from: of.from, to: dev.usdc, data },
  ])
  await purser.POST('/api/dev/mine', { body: { blocks: 1 } })
  return String(hash)
}

/** An address that nobody has the key of. */
export const stranger = (): string =>
  `0x${Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`

const HOUR_SECONDS = 3600

/** Moves the service's clock past an hour, for what ends by time. */
export const passHour = ({ purser }: Stage): Promise<unknown> =>
  purser.POST('/api/dev/clock', { body: { advance_seconds: HOUR_SECONDS + 60 } })
