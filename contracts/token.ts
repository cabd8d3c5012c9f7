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
  type TransactionReceipt,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress, sign } from 'viem/accounts'
import { randomHex } from '../packages/service/src/kernel/secrets.ts'
import wallet from './build/Erc1271Wallet.json' with { type: 'json' }
import artifact from './build/TestUsdc.json' with { type: 'json' }

/** A stand-in of a test's own, so that pausing it or listing an account disturbs nobody. */
export type Token = {
  readonly address: Address
  /** The EIP-712 domain that signatures for it are made under. */
  readonly domain: { name: string; version: string; chainId: number; verifyingContract: Address }
  read(functionName: string, ...args: unknown[]): Promise<unknown>
  /** Calls without a transaction, as if the next block came at `time`; 'done', or the reason of the refusal. */
  attempt(call: Call & { time?: bigint }): Promise<string>
  /** Sends a transaction, its gas paid for, and waits until it is mined. Throws if it was refused. */
  send(call: Call): Promise<TransactionReceipt>
}

type Call = { from: Address; functionName: string; args: readonly unknown[] }

const abi = artifact.abi as Abi
const NAME = 'USDC'

/** Places the runtime code at a new address and initialises it there, as the development chain does. */
export async function newToken(
  chain: { rpcUrl: string; chainId: number },
  admin: Address,
): Promise<Token> {
  const transport = http(chain.rpcUrl)
  const rpc = createPublicClient({ transport, pollingInterval: 20, cacheTime: 0 })
  const sender = createWalletClient({ transport })
  const anvil = createTestClient({ mode: 'anvil', transport })
  const address = randomHex(20)
  await anvil.setCode({ address, bytecode: artifact.deployedBytecode as Hex })
  const token: Token = {
    address,
    domain: { name: NAME, version: '2', chainId: chain.chainId, verifyingContract: address },
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
        return reasonOf(error)
      }
    },
    async send({ from, functionName, args }) {
      const data = encodeFunctionData({ abi, functionName, args })
      await anvil.setBalance({ address: from, value: 10n ** 18n })
      await anvil.impersonateAccount({ address: from })
      const hash = await sender.request({
        method: 'eth_sendTransaction',
        params: [{ from, to: address, data }],
      })
      await anvil.mine({ blocks: 1 })
      const receipt = await rpc.waitForTransactionReceipt({ hash })
      if (receipt.status !== 'success') throw new Error(`${functionName} was refused`)
      return receipt
    },
  }
  await token.send({ from: admin, functionName: 'initialize', args: [NAME, 'USDC', admin] })
  return token
}

/** The text of `require(…, text)` in a failed call. Rethrows what is no refusal by the contract. */
function reasonOf(error: unknown): string {
  if (!(error instanceof BaseError)) throw error
  const raw = error.walk((cause) => typeof (cause as { data?: unknown }).data === 'string')
  const data = (raw as { data?: Hex } | null)?.data
  if (!data) throw error
  return String(decodeErrorResult({ abi: [], data }).args[0])
}

/** A key and its address, made for one test; it holds nothing. */
export type Signer = { address: Address; privateKey: Hex }

export function newSigner(): Signer {
  const privateKey = generatePrivateKey()
  return { privateKey, address: privateKeyToAddress(privateKey) }
}

/** Places an ERC-1271 wallet that signs what its owner signs, and answers its address. */
export async function newWallet(rpcUrl: string, owner: Address): Promise<Address> {
  const transport = http(rpcUrl)
  const anvil = createTestClient({ mode: 'anvil', transport })
  // The chain runs the constructor in a call, and answers what it would leave: the owner is written into the code.
  const { data } = await createPublicClient({ transport }).call({
    data: encodeDeployData({
      abi: wallet.abi as Abi,
      bytecode: wallet.bytecode as Hex,
      args: [owner],
    }),
  })
  const address = randomHex(20)
  await anvil.setCode({ address, bytecode: data ?? '0x' })
  return address
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
  /** The message's members in order, as every call takes them first. */
  values: unknown[]
  /** `values` and the signature in one piece. */
  asBytes: unknown[]
  /** `values`, then v, r and s. */
  asParts: unknown[]
}

/** Signs one of the token's messages with `key`, whoever the message says it is from. */
export async function signMessage(
  token: Token,
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
