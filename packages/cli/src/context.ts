import { open, readFile, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createPurser, type Purser } from '@purser/sdk'
import { Fault } from './fault.ts'

/** The options that every command of an account takes. */
export type AccountOptions = { baseUrl?: string; keyFile?: string; json?: boolean }

/** What a development service writes for scripts to read. */
export type DevFile = {
  base_url: string
  network: `eip155:${number}`
  chain_id: number
  rpc_url: string
  usdc: `0x${string}`
  treasury: `0x${string}`
  demo: { wallet_address: string; api_key: string }
}

/** The service that the command speaks to, as whom, and where both were found. */
export async function connect(options: AccountOptions): Promise<Purser> {
  const dev = await readDevFile()
  const baseUrl = options.baseUrl ?? process.env.PURSER_BASE_URL ?? dev?.base_url
  if (!baseUrl)
    throw new Fault(
      'No service is named: start one with `npx purser start`, or set PURSER_BASE_URL.',
    )
  const apiKey = await findKey(options, baseUrl, dev)
  return createPurser({ baseUrl, apiKey })
}

async function findKey(
  options: AccountOptions,
  baseUrl: string,
  dev: DevFile | undefined,
): Promise<string> {
  if (options.keyFile) return readSecretFile(options.keyFile)
  if (process.env.PURSER_API_KEY) return process.env.PURSER_API_KEY.trim()
  // The demo wallet's key opens its own service, and is nobody else's business.
  if (dev && sameOrigin(dev.base_url, baseUrl)) return dev.demo.api_key
  throw new Fault(
    'No API key is given: set PURSER_API_KEY, or name a file that holds it with --key-file.',
  )
}

function sameOrigin(a: string, b: string): boolean {
  if (!URL.canParse(b)) throw new Fault(`${b} is not a URL.`)
  return new URL(a).origin === new URL(b).origin
}

/** `dev.json` of the embedded service, if there is one. */
export async function readDevFile(): Promise<DevFile | undefined> {
  const path = join(resolve(process.env.PURSER_DATA_DIR ?? './data'), 'dev.json')
  const text = await readOptional(path)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as DevFile
  } catch (cause) {
    throw new Fault(`${path} is not valid JSON; start the service again to write it anew.`, {
      cause,
    })
  }
}

async function readOptional(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw new Fault(`${path} cannot be read.`, { cause: error })
  }
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')

/** The first line of a file that nobody but its owner may read. */
export async function readSecretFile(path: string): Promise<string> {
  const found = await stat(path).catch((error) => {
    throw new Fault(isMissing(error) ? `${path} does not exist.` : `${path} cannot be read.`, {
      cause: error,
    })
  })
  if ((found.mode & 0o077) !== 0)
    throw new Fault(`${path} may be read by others: run \`chmod 600 ${path}\` first.`)
  const [line = ''] = (await readFile(path, 'utf8')).split('\n')
  if (line.trim() === '') throw new Fault(`${path} is empty.`)
  return line.trim()
}

/**
 * Makes a new file that nobody but its owner may read and writes to it what `make` answers. The file comes first: a
 * secret that is shown once must not be made where it cannot be kept. It is gone again if `make` fails.
 */
export async function keepSecret<T>(
  path: string,
  make: () => Promise<{ secret: string; result: T }>,
): Promise<T> {
  const file = await open(path, 'wx', 0o600).catch((cause) => {
    const exists = cause.code === 'EEXIST'
    throw new Fault(
      exists ? `${path} exists already; name another file.` : `${path} cannot be written.`,
      { cause },
    )
  })
  try {
    const { secret, result } = await make()
    await file.writeFile(`${secret}\n`)
    return result
  } catch (error) {
    await rm(path)
    throw error
  } finally {
    await file.close()
  }
}
