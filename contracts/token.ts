import {
  type Abi,
  type Address,
  BaseError,
  concatHex,
  createPublicClient,
  createTestClient,
  createWalletClient,
  decodeErrorResult,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  hashTypedData,
  http,
  numberToHex,
  pad,
  type TransactionReceipt,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress, sign } from 'viem/accounts'
import { randomHex } from '../packages/service/src/base/kernel/secrets.ts'
import wallet from './build/Erc1271Wallet.json' with { type: 'json' }
import artifact from './build/TestUsdc.json' with { type: 'json' }

/** A test's own contract, so that its changes affect no other test. */
export type Contract = {
  readonly address: Address
  read(functionName: string, ...args: unknown[]): Promise<unknown>
  /** Calls without a transaction, as if the next block came at `time`. Answers 'done', or the reason of the refusal. */
  attempt(call: Call & { time?: bigint }): Promise<string>
  /** Sends a transaction with its gas paid, and waits until it is mined. Throws if it was refused. */
  send(call: Call): Promise<TransactionReceipt>
}

/** A stand-in of USDC. */
export type Token = Contract & {
  /** The EIP-712 domain of signatures for it. */
  readonly domain: { name: string; version: string; chainId: number; verifyingContract: Address }
}

type Call = { from: Address; functionName: string; args: readonly unknown[] }
type Rpc = { rpcUrl: string }

const NAME = 'USDC'

/** Places the runtime code at a new address and initializes it there, as the development chain does. */
export async function newToken(chain: Rpc & { chainId: number }, admin: Address): Promise<Token> {
  const address = await place(chain, artifact.deployedBytecode as Hex)
  const contract = contractAt(chain, artifact.abi as Abi, address)
  const domain = { name: NAME, version: '2', chainId: chain.chainId, verifyingContract: address }
  await contract.send({ from: admin, functionName: 'initialize', args: [NAME, 'USDC', admin] })
  return { ...contract, domain }
}

/**
 * Places the code that the contract's constructor would leave. The chain runs the constructor in a call, which writes
 * no storage.
 */
export async function newContract(
  chain: Rpc,
  { abi, bytecode }: { abi: unknown; bytecode: string },
  args: readonly unknown[] = [],
): Promise<Contract> {
  const deployment = encodeDeployData({ abi: abi as Abi, bytecode: bytecode as Hex, args } as never)
  const { data } = await createPublicClient({ transport: http(chain.rpcUrl) }).call({
    data: deployment,
  })
  return contractAt(chain, abi as Abi, await place(chain, data ?? '0x'))
}

/** Places the runtime code at a new address. */
export async function place({ rpcUrl }: Rpc, bytecode: Hex): Promise<Address> {
  const address = randomHex(20)
  await createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).setCode({ address, bytecode })
  return address
}

/** Writes the first word of the contract's storage: what a constructor would have left there. */
export const setFirstWord = ({ rpcUrl }: Rpc, address: Address, word: Hex): Promise<void> =>
  createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).setStorageAt({
    address,
    index: 0,
    value: pad(word),
  })

/** The contract at an address. */
export function contractAt(chain: Rpc, abi: Abi, address: Address): Contract {
  const rpc = createPublicClient({ transport: http(chain.rpcUrl), cacheTime: 0 })
  return {
    address,
    read: (functionName, ...args) => rpc.readContract({ abi, address, functionName, args }),
    async attempt({ from, functionName, args, time }) {
      const data = encodeFunctionData({ abi, functionName, args })
      try {
        await rpc.call({
          account: from,
          to: address,
          data,
          ...(time === undefined ? {} : { blockOverrides: { time } }),
        })
        return 'done'
      } catch (error) {
        return reasonOf(abi, error)
      }
    },
    async send({ from, functionName, args }) {
      const data = encodeFunctionData({ abi, functionName, args })
      const receipt = await sendCall(chain, { from, to: address, data })
      if (receipt.status !== 'success') throw new Error(`${functionName} was refused`)
      return receipt
    },
  }
}

/** Deploys a contract by a transaction of `from`. Throws if its constructor reverts. */
export async function deploy(
  chain: Rpc,
  of: { from: Address; artifact: { abi: unknown; bytecode: string }; args: readonly unknown[] },
): Promise<TransactionReceipt> {
  const { abi, bytecode } = of.artifact
  const deployment = { abi: abi as Abi, bytecode: bytecode as Hex, args: of.args }
  const data = encodeDeployData(deployment as never)
  const receipt = await sendCall(chain, { from: of.from, data })
  if (receipt.status !== 'success') throw new Error('the deployment was refused')
  return receipt
}

/** Enough for any call or deployment of the tests, and less than a block holds. */
const AMPLE_GAS = 25_000_000n

/**
 * Sends calldata as `from`, with gas for it, and waits until it is mined, whatever the result. The gas is not estimated:
 * anvil estimates on the block before, which may not have code that was placed while a block was mined.
 */
export async function sendCall(
  chain: Rpc,
  { from, to, data, gas = AMPLE_GAS }: { from: Address; to?: Address; data: Hex; gas?: bigint },
): Promise<TransactionReceipt> {
  const transport = http(chain.rpcUrl)
  const anvil = createTestClient({ mode: 'anvil', transport })
  await anvil.setBalance({ address: from, value: 10n ** 18n })
  await anvil.impersonateAccount({ address: from })
  const hash = await createWalletClient({ transport }).request({
    method: 'eth_sendTransaction',
    params: [{ from, data, gas: numberToHex(gas), ...(to ? { to } : {}) }],
  })
  await anvil.mine({ blocks: 1 })
  const rpc = createPublicClient({ transport, pollingInterval: 20, cacheTime: 0 })
  return rpc.waitForTransactionReceipt({ hash })
}

/** The text of `require(…, text)` in a failed call, or the error's name. Rethrows any other error. */
function reasonOf(abi: Abi, error: unknown): string {
  if (!(error instanceof BaseError)) throw error
  const raw = error.walk((cause) => typeof (cause as { data?: unknown }).data === 'string')
  const data = (raw as { data?: Hex } | null)?.data
  if (!data) throw error
  const refusal = decodeErrorResult({ abi, data })
  return refusal.errorName === 'Error' ? String(refusal.args?.[0]) : refusal.errorName
}

/** A key and its address, made for one test, without any balance. */
export type Signer = { address: Address; privateKey: Hex }

export function newSigner(): Signer {
  const privateKey = generatePrivateKey()
  return { privateKey, address: privateKeyToAddress(privateKey) }
}

/** Places an ERC-1271 wallet that accepts its owner's signatures. Returns its address. */
export async function newWallet(rpcUrl: string, owner: Address): Promise<Address> {
  return (await newContract({ rpcUrl }, wallet, [owner])).address
}

const AUTHORIZATION = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const
const TYPES = {
  TransferWithAuthorization: AUTHORIZATION,
  ReceiveWithAuthorization: AUTHORIZATION,
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

export type Signed = {
  /** The message's members in order: the first arguments of every call. */
  values: unknown[]
  /** `values` and the signature in one piece. */
  asBytes: unknown[]
  /** `values`, then v, r and s. */
  asParts: unknown[]
}

/** Signs one of the token's messages with `key`, whatever sender the message names. */
export async function signMessage(
  token: Pick<Token, 'domain'>,
  key: Hex,
  primaryType: keyof typeof TYPES,
  message: Record<string, unknown>,
): Promise<Signed> {
  const hash = hashTypedData({ domain: token.domain, types: TYPES, primaryType, message } as never)
  const { r, s, v = 0n } = await sign({ hash, privateKey: key })
  const values = TYPES[primaryType].map(({ name }) => message[name])
  return {
    values,
    asBytes: [...values, concatHex([r, s, numberToHex(v)])],
    asParts: [...values, Number(v), r, s],
  }
}
