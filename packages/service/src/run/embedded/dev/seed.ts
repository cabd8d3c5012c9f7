import { createWalletClient, encodeFunctionData, http } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Caller } from '../../../api/http/caller.ts'
import type { Services, Uses } from '../../../api/http/services.ts'
import { createKey, listKeys } from '../../../api/keys/api-key.ts'
import { readCredential } from '../../../api/keys/credential.ts'
import {
  checkAnswer,
  closeSession,
  issueChallenge,
  openSession,
} from '../../../api/keys/sign-in.ts'
import type { Reader } from '../../../base/db/sql.ts'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { Secret } from '../../../base/kernel/secrets.ts'
import { erc20Abi } from '../../../base/protocols/evm/eip3009/abi.ts'
import { defaultRail } from '../../../chain/client/rails.ts'
import { readAssetBalance } from '../../../chain/client/reads.ts'
import { localSigner } from '../../../chain/client/signers/local.ts'
import { treasuryKey } from '../../../money/ledger/account-keys.ts'
import { readTotals } from '../../../money/ledger/balance.ts'
import { verifyDeposit } from '../../../money/treasury/deposits/verify.ts'
import { fundGas, mine, mintUsdc } from './chain.ts'

export type Demo = { walletAddress: Address; privateKey: Hex; apiKey: string }
type SeedOptions = {
  rpcUrl: string
  privateKey: Hex
  /** The key of an earlier start, kept if it is still valid. */
  apiKey: string | undefined
}

/** The demo wallet's first balance, on chain and again in the treasury: 1,000 USDC. */
const SHARE = 1_000_000_000n
const ONE_ETHER = 10n ** 18n
/** `safe` is four blocks behind the head. */
const BLOCKS_UNTIL_SAFE = 6

/**
 * A demo wallet. On the first start it gets test USDC and deposits half of it into the treasury by a real transfer.
 * Later starts leave it as it is.
 */
export async function seedDemo(services: Services, at: Date, options: SeedOptions): Promise<Demo> {
  const { privateKey, rpcUrl } = options
  const { address: walletAddress } = localSigner(new Secret(privateKey))
  await fundDemo(services, at, { walletAddress, privateKey, rpcUrl })
  const isKept = await isGoodKey(services, at, { owner: walletAddress, text: options.apiKey })
  const apiKey =
    isKept && options.apiKey
      ? options.apiKey
      : await makeKey(services, at, privateKeyToAccount(privateKey))
  return { walletAddress, privateKey, apiKey }
}

async function fundDemo(
  services: Services,
  at: Date,
  demo: { walletAddress: Address; privateKey: Hex; rpcUrl: string },
): Promise<void> {
  const { chain, db } = services
  const { chainId } = chain
  const rail = defaultRail(chain)
  const { asset } = rail
  const { walletAddress: address, privateKey, rpcUrl } = demo
  const totals = await readTotals(db.reader, treasuryKey(asset, address))
  if (totals.has('deposit')) return

  const missing = 2n * SHARE - (await readAssetBalance(rail, address))
  await fundGas({ rpcUrl, address, wei: ONE_ETHER })
  if (missing > 0n) {
    await mintUsdc({ rpcUrl, chainId, to: address, amount: missing })
    await mine({ rpcUrl, blocks: 1 })
  }
  const account = privateKeyToAccount(privateKey)
  const txHash = await createWalletClient({ account, transport: http(rpcUrl) }).sendTransaction({
    chain: null,
    to: asset.contract,
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [chain.treasury.address, SHARE],
    }),
  })
  await mine({ rpcUrl, blocks: BLOCKS_UNTIL_SAFE })
  const { status } = await verifyDeposit(services, at, { walletAddress: address, txHash })
  if (status !== 'confirmed')
    throw new Error(`The demo wallet's deposit ${txHash} was not credited: it is ${status}.`)
}

/** Whether this is a valid, unrestricted key of the wallet. */
async function isGoodKey(
  { db, settings }: Services,
  at: Date,
  key: { owner: Address; text: string | undefined },
): Promise<boolean> {
  const credential = readCredential(key.text ?? '', settings.mode)
  if (credential?.kind !== 'key') return false
  const keys = await keysOf(db.reader, key.owner)
  const found = keys.find(({ hash }) => hash.equals(credential.hash))
  return found?.revokedAt === null && (found.expiresAt === null || found.expiresAt > at)
}

const keysOf = (on: Reader, owner: Address) =>
  listKeys(on, owner, { after: undefined, limit: 1_000 })

/** Answers a challenge as any wallet does. */
export async function answerChallenge(
  { chain, db, settings }: Uses<'chain' | 'db' | 'settings'>,
  at: Date,
  account: PrivateKeyAccount,
) {
  const site = { publicUrl: settings.publicUrl, chainId: chain.chainId }
  const { message } = await db.write((tx) => issueChallenge(tx, at, site, account.address))
  const signature = await account.signMessage({ message })
  return checkAnswer(db.reader, at, chain, { message, signature })
}

/** Signs in, makes a key, and signs out. */
async function makeKey(services: Services, at: Date, account: PrivateKeyAccount): Promise<string> {
  const { db, settings } = services
  const challenge = await answerChallenge(services, at, account)
  return db.write(async (tx) => {
    const session = await openSession(tx, at, challenge)
    const credentialHash = readCredential(session.token, settings.mode)?.hash.toString('hex') ?? ''
    const caller: Caller = {
      walletAddress: account.address,
      kind: 'session',
      credentialHash,
      authenticatedAt: at,
      scopes: null,
      cardIds: null,
      maxAmount: null,
      requestId: '',
    }
    const { text } = await createKey(tx, at, caller, settings.mode)
    await closeSession(tx, at, caller, { operators: [] })
    return text
  })
}
