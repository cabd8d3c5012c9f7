import { Transaction } from 'micro-eth-signer'
import { readDevFile } from '../context.ts'
import { askDevChain } from '../dev-chain.ts'
import { Fault } from '../fault.ts'

/** A prepared transaction, as `crt prepare --save` keeps it. */
type Call = { step: string; to: string | null; data: string; value: string; gas: number }
export type Launch = { nonce: number | null; token: string; transactions: Call[] }

const TRIES = 100
const TRY_MS = 200
/** Enough on the development chain, where gas costs a billionth of an ether at most. */
const FEES = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n }

/**
 * Signs the transactions with the demo wallet and sends them to the development chain, one after another. Returns the hash
 * of each step. Only for trying out: elsewhere your own wallet signs.
 */
export async function sendByDemoWallet(launch: Launch): Promise<Record<string, string>> {
  const dev = await readDevFile()
  if (!dev)
    throw new Fault(
      'Only a local development service has a demo wallet. Elsewhere sign and send the transactions with your own wallet.',
    )
  const { nonce } = launch
  if (nonce === null)
    throw new Fault(
      'The launch is for a wallet that is a contract: send its calls with that wallet.',
    )
  const hashes: Record<string, string> = {}
  for (const [i, call] of launch.transactions.entries()) {
    const raw = sign(call, {
      key: dev.demo.private_key,
      chainId: dev.chain_id,
      nonce: nonce + i,
    })
    const hash = String(await askDevChain(dev.rpc_url, 'eth_sendRawTransaction', [raw]))
    await mined(dev.rpc_url, { hash, step: call.step })
    hashes[call.step] = hash
  }
  return hashes
}

const sign = (call: Call, of: { key: string; chainId: number; nonce: number }): string =>
  Transaction.prepare({
    to: call.to ?? '0x',
    data: call.data,
    value: BigInt(call.value),
    gasLimit: BigInt(call.gas),
    nonce: BigInt(of.nonce),
    chainId: BigInt(of.chainId),
    ...FEES,
  })
    .signBy(of.key)
    .toHex()

async function mined(
  rpcUrl: string,
  { hash, step }: { hash: string; step: string },
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const receipt = (await askDevChain(rpcUrl, 'eth_getTransactionReceipt', [hash])) as {
      status: string
    } | null
    if (receipt?.status === '0x1') return
    if (receipt) throw new Fault(`The chain reverted the step "${step}" (${hash}): prepare again.`)
    await new Promise((done) => setTimeout(done, TRY_MS))
  }
  throw new Fault(`No block has taken the step "${step}" (${hash}) yet.`)
}
