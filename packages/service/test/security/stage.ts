import type { PrivateKeyAccount } from 'viem/accounts'
import type { Address } from '../../src/base/kernel/assets.ts'
import { randomHex } from '../../src/base/kernel/secrets.ts'
import { readChallenges, writeChallenge } from '../../src/base/protocols/mpp/headers/challenge.ts'
import { addKey, newKey } from '../actors/ap2/shop.ts'
import { issue, open } from '../actors/attack-kit.ts'
import { directSeller } from '../actors/direct/direct-kit.ts'
import { signedFor } from '../billing/kit.ts'
import { register } from '../webhooks/kit.ts'
import { freshAccount } from '../world/chain.ts'
import type { Card, User, World } from '../world.ts'
import { meteredWorld } from './metered-world.ts'

/**
 * A metered service with a seller's link, and a wallet that has a key and no money. The wallet can still have cards:
 * they wait for a funding transaction that is never made.
 */
export async function openStage() {
  // The wallet without money is an operator too, so that those reads are measured: for others they do not exist.
  const operators: Address[] = []
  const street = await meteredWorld({ operators })
  const { w } = street
  await w.withGas()
  const seller = await w.user({ treasury: 10 })
  const till = await issue(seller, 5)
  const link = await open(seller, till, { amount: 1, max_uses: 1000 })
  const poor = await w.user()
  operators.push(poor.wallet as Address)
  const card = await pendingCard(poor)
  // The service pays out only after it has compared the books with the chain.
  await w.safe()
  await w.runJobs()
  const userKey = newKey()
  await addKey(w, card.id, userKey, 'user')
  return {
    ...street,
    seller,
    till,
    /** The link code of another wallet, which has money. */
    code: link.code,
    depositAddress: link.deposit_address,
    poor,
    /** Another wallet without money, whose count of enrolments is its own. */
    patient: await w.user(),
    direct: await openDirect(w),
    /** The open mandate of an agreement that the card has no money for. */
    agreed: await signedFor(poor, card, agreementOf(seller)),
    /** Cards of the wallet without money. A key signs mandates for the first card. */
    card,
    userKey,
    spare: await pendingCard(poor),
    other: await pendingCard(poor),
    own: await open(poor, card, { amount: 1 }),
    hook: await register(poor, { url: street.shop.urlOf(0) }),
    /** Signs well, and holds nothing on chain. */
    payer: await freshAccount(),
    greeting: await greetingOf(w, w.chain.asset.contract),
    mandate: await mandateOf(poor, card, link.code),
  }
}
/** A DIRECT link of a seller with a plan, and a transfer by which somebody else has paid the seller. */
async function openDirect(w: World) {
  const seller = await directSeller(w)
  const { code } = await seller.open()
  const { account, wallet } = await w.user({ usdc: 1 })
  const txHash = await w.transfer(account, seller.wallet, 500_000n)
  return { code, payTo: seller.wallet, txHash, from: wallet }
}

/** The terms of an agreement between the wallet without money and the other one. */
export const agreementOf = ({ wallet }: { wallet: string }) => ({
  merchant_wallet: wallet,
  amount: 1,
  trigger_type: 'interval',
  period_days: 1,
})
export type Stage = Awaited<ReturnType<typeof openStage>> & { payer: PrivateKeyAccount }

export const pendingCard = (user: User): Promise<Card> => issue(user, 1, { tx_hash: randomHex(32) })

/** The text that a wallet would sign to sign in. */
async function greetingOf(w: World, wallet_address: string): Promise<string> {
  return (await w.call('POST', '/api/auth/challenge', { wallet_address })).body.message
}

/** The challenge by which a card may pay the link. */
export async function challengeOf(w: World, code: string): Promise<string> {
  const reply = await w.call('GET', `/pay/${code}`)
  const { challenges } = readChallenges(String(reply.headers['www-authenticate']))
  const found = challenges.find(({ method }) => method === 'agentcard')
  if (!found) throw new Error('the link asks for no payment by card')
  return writeChallenge(found)
}

/** A mandate that the service signs for the card, which has no money to pay it. */
export async function mandateOf(user: User, card: Card, pay_link_code: string): Promise<string> {
  const body = { card_id: card.id, card_token: card.token, pay_link_code }
  const made = await user.post('/api/ap2/mandate', body)
  if (made.status !== 200) throw new Error(made.text)
  return made.body.mandate
}
