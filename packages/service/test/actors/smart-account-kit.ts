import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  serializeErc6492Signature,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import accountArtifact from '../../../../contracts/build/SmartAccount.json' with { type: 'json' }
import factoryArtifact from '../../../../contracts/build/SmartAccountFactory.json' with {
  type: 'json',
}
import { newContract, sendCall } from '../../../../contracts/token.ts'
import { randomHex } from '../../src/base/kernel/secrets.ts'
import { mine, mintUsdc, waitMined } from '../../src/run/embedded/dev/chain.ts'
import { freshAccount, testChain } from '../world/chain.ts'
import { sendBy } from './token-kit.ts'

/** A factory of smart accounts on the run's chain. */
export async function newFactory(): Promise<Address> {
  return getAddress((await newContract(testChain(), factoryArtifact)).address)
}

/** A payer in the form that `ask` takes. Its owner signs, and the account's address pays. */
export type SmartPayer = PrivateKeyAccount & { owner: PrivateKeyAccount }

const payerOf = (owner: PrivateKeyAccount, address: Address): SmartPayer => ({
  ...owner,
  address,
  owner,
})

/** A smart account that is deployed on the chain, with a dollar. */
export async function deployedAccount(): Promise<SmartPayer> {
  const owner = await freshAccount()
  const { address } = await newContract(testChain(), accountArtifact, [owner.address])
  // The constructor's writes to storage are not placed with the code.
  const chain = testChain()
  const slot = `0x${owner.address.slice(2).toLowerCase().padStart(64, '0')}`
  await rpc('anvil_setStorageAt', [address, `0x${'0'.repeat(64)}`, slot])
  await giveDollar(chain, getAddress(address))
  return payerOf(owner, getAddress(address))
}

/** Makes a call as the account, by its owner's own transaction. */
export async function executeAs(
  { address, owner }: SmartPayer,
  to: Address,
  data: Hex,
): Promise<Hex> {
  const { abi } = accountArtifact
  const call = encodeFunctionData({ abi, functionName: 'execute', args: [to, data] })
  return sendBy(owner, address, call)
}

/**
 * A wallet's key whose address runs an account's code (EIP-7702), with a dollar. The code takes the signatures of
 * `signer`; the key itself still sends transactions.
 */
export async function delegatedAccount(signer?: Address): Promise<PrivateKeyAccount> {
  const [account, sponsor] = [await freshAccount(), await freshAccount()]
  const { chainId, rpcUrl } = testChain()
  const code = await newContract(testChain(), accountArtifact, [account.address])
  const delegation = await account.signAuthorization({
    ...{ contractAddress: code.address, chainId, nonce: 0 },
  })
  const wallet = createWalletClient({ account: sponsor, transport: http(rpcUrl) })
  const hash = await wallet.sendTransaction({
    ...{ chain: null, to: sponsor.address, authorizationList: [delegation] },
  })
  await waitMined({ rpcUrl, hash, timeoutMs: 60_000 })
  const owner = signer ?? account.address
  const slot = `0x${owner.slice(2).toLowerCase().padStart(64, '0')}`
  await rpc('anvil_setStorageAt', [account.address, `0x${'0'.repeat(64)}`, slot])
  await giveDollar(testChain(), account.address)
  return account
}

/** A smart account with a dollar that its factory has not deployed yet. Its signatures are wrapped by ERC-6492. */
export async function undeployedAccount(factory: Address): Promise<SmartPayer> {
  const owner = await freshAccount()
  const salt = randomHex(32)
  const { address, data } = await accountAt(factory, { owner: owner.address, salt })
  await giveDollar(testChain(), address)
  const wrap = async (typed: Parameters<PrivateKeyAccount['signTypedData']>[0]): Promise<Hex> =>
    serializeErc6492Signature({
      address: factory,
      data,
      signature: await owner.signTypedData(typed),
    })
  return { ...payerOf(owner, address), signTypedData: wrap as PrivateKeyAccount['signTypedData'] }
}

/** The address at which the factory deploys the account, and the call that does so. */
async function accountAt(factory: Address, of: { owner: Address; salt: Hex }) {
  const { abi } = factoryArtifact
  const args = [of.owner, of.salt]
  const asked = encodeFunctionData({ abi, functionName: 'addressOf', args })
  const word = (await rpc('eth_call', [{ to: factory, data: asked }, 'latest'])) as Hex
  return {
    address: getAddress(`0x${word.slice(-40)}`),
    data: encodeFunctionData({ abi, functionName: 'createAccount', args }),
  }
}

/** Gives the account another owner. */
export async function changeOwner({ address, owner }: SmartPayer, next: Address): Promise<void> {
  const { abi } = accountArtifact
  const data = encodeFunctionData({ abi, functionName: 'setOwner', args: [next] })
  await sendCall(testChain(), { from: owner.address, to: address, data })
}

async function giveDollar(chain: ReturnType<typeof testChain>, to: Address): Promise<void> {
  const hash = await mintUsdc({ ...chain, to, amount: 1_000_000n })
  await mine({ ...chain, blocks: 1 })
  await waitMined({ ...chain, hash, timeoutMs: 60_000 })
}

async function rpc(method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(testChain().rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result: unknown }).result
}
