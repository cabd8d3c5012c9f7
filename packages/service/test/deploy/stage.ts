import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { privateKeyToAccount } from 'viem/accounts'
import { startAnvil } from '../../src/run/embedded/anvil/anvil.ts'
import { fundGas, prepareDevChain } from '../../src/run/embedded/dev/chain.ts'
import { CHAIN_ID } from '../run/own-chain.ts'
import { until } from '../until.ts'
import { HOST, type Machine } from './machine.ts'

const exec = promisify(execFile)
const PAY_ONCE = fileURLToPath(new URL('pay-once.ts', import.meta.url))
/** Where the service of a machine listens, as the machine sees it. */
export const AT = 'http://127.0.0.1:4021'

/** A chain that outlives restarts of the service, and that machines reach. */
export async function openChain() {
  const chain = await startAnvil({ chainId: CHAIN_ID, blockTimeSeconds: 0.5, slotsInAnEpoch: 1 })
  const { rpcUrl } = chain
  await prepareDevChain({ rpcUrl, chainId: CHAIN_ID })
  return {
    rpcUrl: `http://${HOST}:${new URL(rpcUrl).port}`,
    giveGas: (relayerKey: string) => {
      const { address } = privateKeyToAccount(relayerKey as `0x${string}`)
      return fundGas({ rpcUrl, address, wei: 10n ** 18n })
    },
    stop: chain.stop,
  }
}

/** Runs a program of this machine in the network of the other, or in one of its containers'. Returns what it prints. */
export const beside = async (
  { pid }: Machine,
  command: string[],
  network = `/proc/${pid}/ns/net`,
): Promise<string> => (await exec('nsenter', [`--net=${network}`, ...command])).stdout

/** The payment's transaction, and the API key of the wallet that was paid, whose treasury balance is 1. */
export type Paid = { txHash: string; apiKey: string }

/** Deposits, and is paid on chain. */
export const payOnce = async (machine: Machine, rpcUrl: string, network?: string): Promise<Paid> =>
  JSON.parse(await beside(machine, [process.execPath, PAY_ONCE, AT, rpcUrl], network))

/** The same by the service's public name, whose certificate is a file of the machine. */
export async function payByName(
  machine: Machine,
  rpcUrl: string,
  { name, certificate }: { name: string; certificate: string },
): Promise<Paid> {
  const hosts = join(machine.root, 'root/hosts')
  await writeFile(hosts, `127.0.0.1 localhost ${name}\n`)
  const command = [process.execPath, PAY_ONCE, `https://${name}`, rpcUrl]
  const asNamed = `mount --bind "${hosts}" /etc/hosts; exec "$@"`
  return JSON.parse(
    await beside(machine, [
      ...['env', `NODE_EXTRA_CA_CERTS=${join(machine.root, certificate)}`],
      ...['unshare', '--mount', 'sh', '-c', asNamed, 'sh', ...command],
    ]),
  )
}

/** Waits until the service is ready. Throws with the end of its log if that takes minutes. */
export async function untilReady(machine: Machine): Promise<void> {
  const look = () =>
    beside(machine, ['curl', '-sS', '--max-time', '20', `${AT}/readyz`]).catch(String)
  try {
    await until(look, (said) => said.startsWith('{"status":"ready"'), { longestMs: 180_000 })
  } catch (cause) {
    throw new Error(await machine.run('journalctl --no-pager -n 50 -u purser'), { cause })
  }
}
