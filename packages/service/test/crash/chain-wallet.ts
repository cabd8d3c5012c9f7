import { createWalletClient, http, publicActions } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { USDC } from '../../src/base/kernel/assets.ts'
import { randomHex } from '../../src/base/kernel/secrets.ts'
import { erc20Abi } from '../../src/base/protocols/evm/eip3009/abi.ts'
import {
  authorizationTypedData,
  type TransferAuthorization,
} from '../../src/base/protocols/evm/eip3009/authorization.ts'
import { fundGas, mintUsdc, waitMined } from '../../src/run/embedded/dev/chain.ts'
import { CHAIN_ID } from './stage.ts'

type Hex = `0x${string}`
const GAS_WEI = 10n ** 20n
const MINED_MS = 600_000
/** The chain's clock runs ahead of ours if blocks come faster than seconds. */
const VALID_SECONDS = 30 * 24 * 3600
const usdc = USDC[CHAIN_ID] as NonNullable<(typeof USDC)[number]>

/** An account on the chain. It sends one transaction after the other, and counts its own nonces. */
export type ChainWallet = {
  account: PrivateKeyAccount
  address: Hex
  /** Transfers USDC, and resolves once it is mined. */
  transfer(to: Hex, value: bigint): Promise<Hex>
  /** Makes any call, and resolves once it is mined. */
  send(to: Hex, data: Hex): Promise<Hex>
  sign(
    to: Hex,
    value: bigint,
    nonce?: Hex,
  ): Promise<{ authorization: TransferAuthorization; signature: Hex }>
}

export async function openWallet(
  rpcUrl: string,
  funds: bigint,
  account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey()),
): Promise<ChainWallet> {
  await fundGas({ rpcUrl, address: account.address, wei: GAS_WEI })
  if (funds > 0n) {
    const minted = { rpcUrl, chainId: CHAIN_ID, to: account.address, amount: funds }
    await waitMined({ rpcUrl, hash: await mintUsdc(minted), timeoutMs: MINED_MS })
  }
  const client = createWalletClient({ account, transport: http(rpcUrl) }).extend(publicActions)
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work)
    last = turn
    return turn
  }
  const mined = async (hash: Hex): Promise<Hex> => {
    await waitMined({ rpcUrl, hash, timeoutMs: MINED_MS })
    return hash
  }
  return {
    account,
    address: account.address,
    transfer: (to, value) =>
      inTurn(async () => {
        const args = [to, value] as const
        const call = {
          address: usdc.contract,
          abi: erc20Abi,
          functionName: 'transfer',
          args,
        } as const
        return mined(await client.writeContract({ ...call, chain: null }))
      }),
    send: (to, data) =>
      inTurn(async () =>
        mined(await client.sendTransaction({ to, data, gas: 500_000n, chain: null })),
      ),
    async sign(to, value, nonce = randomHex(32)) {
      const authorization: TransferAuthorization = {
        from: account.address,
        to,
        value,
        validAfter: 0n,
        validBefore: BigInt(Math.floor(Date.now() / 1000) + VALID_SECONDS),
        nonce,
      }
      const typed = authorizationTypedData(usdc, authorization)
      return { authorization, signature: await account.signTypedData(typed) }
    },
  }
}

/** The current USDC balance of an address, in base units. */
export async function balanceOf(rpcUrl: string, address: Hex): Promise<bigint> {
  const client = createWalletClient({ transport: http(rpcUrl) }).extend(publicActions)
  const call = { address: usdc.contract, abi: erc20Abi, functionName: 'balanceOf' } as const
  return client.readContract({ ...call, args: [address] })
}

export { usdc }
