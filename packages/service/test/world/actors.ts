import { erc20Abi, parseEventLogs } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { newId } from '../../src/base/kernel/ids.ts'
import { amount } from '../../src/base/kernel/money.ts'
import { openAccount } from '../../src/money/ledger/accounts.ts'
import { post } from '../../src/money/ledger/post.ts'
import { insertDeposits } from '../../src/money/treasury/deposits/store.ts'
import { freshAccount, type WorldChain } from './chain.ts'
import type { WorldDatabase } from './database.ts'
import type { CallOptions, Reply, WorldService } from './service.ts'
/** A wallet with an API key, and calls made with it. */
export type User = {
  account: PrivateKeyAccount
  wallet: string
  key: string
  get(path: string, options?: CallOptions): Promise<Reply>
  post(path: string, body?: unknown, options?: CallOptions): Promise<Reply>
  send(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Reply>
  /**
   * A card with its own money: 5 USDC unless `limit` says otherwise. The other fields are those of `POST /api/issue`.
   */
  card(order?: { limit?: number; [field: string]: unknown }): Promise<Card>
}
export type Card = { id: string; token: string }

const unitsOf = (usdc: number): bigint => BigInt(Math.round(usdc * 1e6))

/** The users of the service: wallets with keys and money. */
export function openActors(parts: {
  database: WorldDatabase
  service: WorldService
  onChain: WorldChain
}) {
  const { database, service, onChain } = parts
  const { call, chain, clock } = service
  const { asset } = chain
  const { db } = database

  /** The calls of a wallet that has a key. */
  const asked = (account: PrivateKeyAccount, key: string): User => ({
    account,
    wallet: account.address,
    key,
    get: (path, options) => call('GET', path, undefined, { key, ...options }),
    post: (path, body, options) => call('POST', path, body, { key, ...options }),
    send: (method, path, body, options) => call(method, path, body, { key, ...options }),
    async card({ limit = 5, ...order } = {}) {
      await credit(account.address, unitsOf(limit))
      const body = { purpose: 'test', limit_amount: limit, ...order }
      const made = await call('POST', '/api/issue', body, { key })
      if (made.status !== 200) throw new Error(made.text)
      return made.body.card
    },
  })

  /** Adds money to a wallet's treasury balance, and mints as much to the treasury on chain. */
  async function credit(wallet: string, value: bigint): Promise<void> {
    const { logs, transactionHash: txHash } = await onChain.mintToTreasury(value)
    const [log] = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })
    if (!log) throw new Error('nothing was minted')
    const id = newId('dep', clock.now())
    await db.write(async (tx) => {
      // The issuer's mint is nobody's deposit, but the books must know its log.
      await insertDeposits(tx, [
        {
          id,
          network: asset.network,
          txHash,
          logIndex: log.logIndex,
          walletAddress: wallet,
          asset: 'USDC',
          amount: amount(log.args.value),
          blockNumber: log.blockNumber,
          blockHash: log.blockHash,
          createdAt: clock.now(),
        },
      ])
      const [custody, treasury] = [
        await openAccount(tx, {
          kind: 'custody',
          owner: 'house',
          network: asset.network,
          asset: 'USDC',
        }),
        await openAccount(tx, {
          kind: 'treasury',
          owner: wallet,
          network: asset.network,
          asset: 'USDC',
        }),
      ]
      await post(tx, clock.now(), [
        {
          kind: 'deposit',
          ref: id,
          entries: [
            { account: custody, amount: -value },
            { account: treasury, amount: value },
          ],
        },
      ])
    })
  }

  return {
    credit,

    /** A wallet signed in through the API, with a key: a new one unless `account` is given. It has `treasury` USDC in its balance and `usdc` on chain. */
    async user(
      funds: { treasury?: number; usdc?: number; account?: PrivateKeyAccount } = {},
    ): Promise<User> {
      const usdc = unitsOf(funds.usdc ?? 0)
      const { rpcUrl } = onChain
      const account = await freshAccount({ usdc, rpcUrl, account: funds.account })
      const challenge = await call('POST', '/api/auth/challenge', {
        wallet_address: account.address,
      })
      const signature = await account.signMessage({ message: challenge.body.message })
      const session = await call('POST', '/api/auth/verify', {
        message: challenge.body.message,
        signature,
      })
      const made = await call('POST', '/api/keys/generate', undefined, { key: session.body.token })
      const key = made.body.api_key as string
      if (funds.treasury) await credit(account.address, unitsOf(funds.treasury))
      return asked(account, key)
    },

    /** The same wallet with the same key on this machine, for a wallet that signed in at another machine. */
    as: (user: User): User => asked(user.account, user.key),
  }
}
