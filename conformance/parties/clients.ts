import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { Mppx } from 'mppx/client'
import { assets } from 'mppx/evm'
import { charge } from 'mppx/evm/client'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Protocol } from '../matrix.ts'
import { NETWORK } from './servers.ts'

/** Far more than it needs on an idle machine. */
const CLI_MS = 400_000

export type Bought = { status: number; body: unknown }

/** `@x402/fetch` with a wallet, and no cap but the price. It pays in USDC, and in `token` if given. */
export async function payByX402Fetch(
  account: PrivateKeyAccount,
  url: string,
  token?: string,
): Promise<Bought> {
  const client = new x402Client()
    .setSpendControls({ allowedAssets: token ? [{ network: NETWORK, asset: token }] : [] })
    .register(NETWORK, new ExactEvmScheme(account))
  return bought(await wrapFetchWithPayment(fetch, client)(url))
}

/** The `fetch` of mppx with a wallet, limited to the given protocols. It pays at most once. */
export async function payByMppxFetch(
  account: PrivateKeyAccount,
  url: string,
  protocol: Protocol,
): Promise<Bought> {
  const mppx = Mppx.create({
    methods: [charge({ account, currencies: [assets.baseSepolia.USDC] })],
    polyfill: false,
    maxPaymentRetries: 1,
    orderChallenges: (challenges) =>
      challenges.filter(({ challenge }) => isOfX402(challenge) === (protocol === 'x402')),
  })
  return bought(await mppx.fetch(url))
}

/** mppx presents an x402 offer as a challenge whose request is the offer itself. */
const isOfX402 = ({ request }: { request: unknown }): boolean =>
  (request as { scheme?: string }).scheme === 'exact'

/** A refusal's body may be empty: its reason stands in a header. */
async function bought(response: Response): Promise<Bought> {
  const body: unknown = await response.json()
  if (response.ok) return { status: response.status, body }
  const { headers } = response
  const reason = headers.get('payment-response') ?? headers.get('payment-required')
  return { status: response.status, body: { body, reason: reason && atob(reason) } }
}

const MPPX = join(dirname(createRequire(import.meta.url).resolve('mppx')), 'bin.js')
type Cli = { code: number; stdout: string; stderr: string }

/** Runs the CLI of mppx as a child process, with a wallet in its environment and its own home folder. */
export async function mppxCli(
  args: string[],
  of: { privateKey: string; rpcUrl: string },
): Promise<Cli> {
  const home = await mkdtemp(join(tmpdir(), 'purser-mppx-'))
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    NO_COLOR: '1',
    MPPX_PRIVATE_KEY: of.privateKey,
    MPPX_RPC_URL: of.rpcUrl,
  }
  try {
    return await new Promise<Cli>((resolve) => {
      const options = { env, timeout: CLI_MS, maxBuffer: 16_000_000 }
      execFile(process.execPath, [MPPX, ...args], options, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
      )
    })
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** Pays for a URL with the CLI of mppx. Fails unless the URL was served. */
export async function payByMppxCli(
  wallet: { privateKey: string; rpcUrl: string },
  url: string,
  protocol: Protocol,
): Promise<Bought> {
  const args = [url, '--protocol', protocol, '--fail', '--silent']
  const { code, stdout, stderr } = await mppxCli(args, wallet)
  if (code !== 0) throw new Error(`mppx ended with ${code}:\n${stdout}\n${stderr}`)
  return { status: 200, body: JSON.parse(stdout) }
}
