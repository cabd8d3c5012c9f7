import { mkdir, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as driver, type Page } from 'playwright-core'
import type { PrivateKeyAccount } from 'viem/accounts'
import { until } from '../until.ts'

/** Far more than a page takes, even on a busy machine. */
const PATIENCE_MS = 600_000

/** Names of this machine that browsers do not take for it: plain HTTP from there is no secure context. */
const NAMES = 'MAP *.test 127.0.0.1, MAP nas.local 127.0.0.1'

/** A real browser with its web security on. */
export async function openBrowser(): Promise<Browser> {
  const browser = await driver.launch({
    executablePath: await unpack(),
    // The package's own arguments are for one page in one process, and switch web security off.
    args: ['--no-sandbox', '--disable-gpu', `--host-resolver-rules=${NAMES}`],
    // Without a language of people it takes one that no page can read, such as en-US@posix.
    env: { ...process.env, LANGUAGE: 'en_US', LC_ALL: 'en_US.UTF-8' },
    headless: true,
    timeout: PATIENCE_MS,
  })
  browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS))
  return browser
}

/** The program's path. Only one process of a run unpacks it at a time: another could start a half-written file. */
async function unpack(): Promise<string> {
  const turn = join(tmpdir(), 'unpacking-chromium')
  await until(() => isMade(turn))
  try {
    return await chromium.executablePath()
  } finally {
    await rmdir(turn)
  }
}

const isMade = (folder: string): Promise<boolean> =>
  mkdir(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )

/**
 * Puts a wallet into the page whose keys stay in the test. If it `isNew`, the page has to add the chain first. With `rpcUrl` it answers
 * questions about the chain.
 */
export async function injectWallet(
  page: Page,
  wallet: {
    account: PrivateKeyAccount
    chainId?: number
    refuses?: number
    isNew?: boolean
    rpcUrl?: string
    icon?: string
    name?: string
    /** How often the person refuses to switch. */
    noSwitch?: number
    /** It gives no signature: its owners sign later. */
    isSilent?: boolean
  },
): Promise<{ calls: string[]; added: unknown[] }> {
  const added: unknown[] = []
  const calls: string[] = []
  let chainId = wallet.chainId ?? 84_532
  await page.exposeFunction('askWallet', async (method: string, params: string) => {
    calls.push(method)
    if (method === 'eth_requestAccounts') return [wallet.account.address]
    if (method === 'eth_chainId') return `0x${chainId.toString(16)}`
    if (method === 'wallet_addEthereumChain') {
      added.push(JSON.parse(params)[0])
      return null
    }
    if (method === 'wallet_switchEthereumChain') {
      if (wallet.isNew && added.length === 0) return { code: 4902 }
      if (wallet.noSwitch && wallet.noSwitch-- > 0) return { code: 4001 }
      chainId = Number(JSON.parse(params)[0].chainId)
      return null
    }
    if (method === 'personal_sign')
      return wallet.account.signMessage({ message: { raw: JSON.parse(params)[0] } })
    if (wallet.rpcUrl && /^eth_(call|getCode)$/.test(method))
      return askChain(wallet.rpcUrl, method, JSON.parse(params))
    if (method !== 'eth_signTypedData_v4') return { code: 4200 }
    if (wallet.isSilent) return '0x'
    if (wallet.refuses && wallet.refuses-- > 0) return { code: 4001 }
    const { types, domain, primaryType, message } = JSON.parse(JSON.parse(params)[1])
    delete types.EIP712Domain
    return wallet.account.signTypedData({ types, domain, primaryType, message })
  })
  await page.addInitScript(
    ({ icon, name }) => {
      const browser = globalThis as any
      const provider = {
        async request({ method, params }: { method: string; params?: unknown[] }) {
          const result = await browser.askWallet(method, JSON.stringify(params ?? []))
          if (result?.code) throw Object.assign(new Error('refused'), result)
          return result
        },
      }
      const info = { uuid: 'u', name, icon, rdns: 'test' }
      browser.addEventListener('eip6963:requestProvider', () =>
        browser.dispatchEvent(
          new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }),
        ),
      )
    },
    { icon: wallet.icon ?? '', name: wallet.name ?? 'Test Wallet' },
  )
  return { calls, added }
}

async function askChain(rpcUrl: string, method: string, params: unknown): Promise<unknown> {
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await answer.json()) as { result: unknown }).result
}
