import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { readAssetBalance } from '../../packages/service/src/chain/client/reads.ts'
import { mintUsdc } from '../../packages/service/src/run/embedded/dev/chain.ts'
import { cardOf, issue } from '../../packages/service/test/actors/attack-kit.ts'
import type { User, World } from '../../packages/service/test/world.ts'
import { type ClientName, isPaywall, type Pairing, type Protocol } from '../matrix.ts'
import type { Stage } from '../stage.ts'
import { type Bought, payByMppxCli, payByMppxFetch, payByX402Fetch } from './clients.ts'
import { PRICE } from './servers.ts'

const FUNDS = 1_000_000n

export type Payer = {
  pay(url: string): Promise<Bought>
  /** Expects that the price has left once, and nothing else. */
  expectPaid(): Promise<void>
}

/** A client of that name with its own money: a wallet on chain, or a card of the agent. */
export function openPayer(stage: Stage, agent: User, pairing: Pairing): Promise<Payer> {
  return pairing.client === 'purser payer'
    ? openCardPayer(agent, pairing)
    : openWalletPayer(stage.w, pairing.client, pairing.protocol)
}

/** An account with USDC and no gas: the side that takes the payment pays for the transaction. */
export async function openWallet({ rpcUrl, chain, mined }: World, amount = FUNDS) {
  const privateKey = generatePrivateKey()
  const account = privateKeyToAccount(privateKey)
  await mined(await mintUsdc({ rpcUrl, chainId: chain.chainId, to: account.address, amount }))
  return { privateKey, account, rpcUrl }
}

async function openWalletPayer(
  w: World,
  client: Exclude<ClientName, 'purser payer'>,
  protocol: Protocol,
): Promise<Payer> {
  const wallet = await openWallet(w)
  const { account } = wallet
  const pay = {
    '@x402/fetch': (url: string) => payByX402Fetch(account, url),
    'mppx fetch': (url: string) => payByMppxFetch(account, url, protocol),
    'mppx CLI': (url: string) => payByMppxCli(wallet, url, protocol),
  }[client]
  return {
    pay,
    expectPaid: async () =>
      expect(await readAssetBalance(w.chain, account.address)).toBe(FUNDS - PRICE),
  }
}

async function openCardPayer(agent: User, { server, protocol }: Pairing): Promise<Payer> {
  const card = await issue(agent, 1)
  // Outside, the platform's 0.5 % comes on top. A card that pays a link or a paywall here by MPP pays within the books, and the
  // seller bears the fee.
  const isInBooks = server === 'purser pay link' || isPaywall(server)
  const spent = isInBooks && protocol === 'mpp' ? 0.01 : 0.01005
  return {
    async pay(url) {
      const ask = { card_id: card.id, card_token: card.token, url, method: 'GET', protocol }
      const paid = await agent.post('/api/pay', ask)
      expect(paid.status, paid.text).toBe(200)
      expect(paid.body).toMatchObject({ protocol, amount_debited: spent })
      return { status: paid.body.response.status, body: paid.body.response.body }
    },
    expectPaid: async () => expect(await cardOf(agent, card.id)).toMatchObject({ spent, held: 0 }),
  }
}
