import { x402Facilitator } from '@x402/core/facilitator'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { UptoEvmScheme } from '@x402/evm/upto/facilitator'
import { createWalletClient, defineChain, http, nonceManager, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { fundGas } from '../../src/run/embedded/dev/chain.ts'

type On = { rpcUrl: string; chainId: number; pollingIntervalMs?: number }
const TEN_ETHER = 10n ** 19n
/** Enough for a transfer. A fixed amount avoids gas estimates, which fail for many concurrent sends. */
const GAS = 200_000n

/** An account with gas whose nonces are counted here, so that concurrent sends do not collide. */
export async function walletWithGas({ rpcUrl, chainId, pollingIntervalMs = 50 }: On) {
  const account = privateKeyToAccount(generatePrivateKey(), { nonceManager })
  await fundGas({ rpcUrl, address: account.address, wei: TEN_ETHER })
  const chain = defineChain({
    id: chainId,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  return createWalletClient({
    account,
    chain,
    transport: http(rpcUrl),
    pollingInterval: pollingIntervalMs,
  }).extend(publicActions)
}

/** The facilitator of the protocol's own packages, in this process, with a wallet that pays its gas. */
export async function sdkFacilitator(on: On): Promise<x402Facilitator> {
  const wallet = await walletWithGas(on)
  const signer = toFacilitatorEvmSigner({
    address: wallet.account.address,
    readContract: (call) => wallet.readContract({ ...call, args: call.args ?? [] } as never),
    verifyTypedData: (call) => wallet.verifyTypedData(call as never),
    writeContract: (call) =>
      wallet.writeContract({ ...call, args: call.args ?? [], gas: GAS } as never),
    sendTransaction: (call) => wallet.sendTransaction({ ...call, gas: GAS } as never),
    waitForTransactionReceipt: (call) => wallet.waitForTransactionReceipt(call),
    getCode: (call) => wallet.getCode(call),
  })
  const network = `eip155:${on.chainId}` as const
  return new x402Facilitator()
    .register(network, new ExactEvmScheme(signer))
    .register(network, new UptoEvmScheme(signer))
}
