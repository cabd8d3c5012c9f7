import { open, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Purser } from '@purser/sdk'
import { underKey, watched } from './calls.ts'
import { Fault } from './fault.ts'
import { readOptional, readSecretFile, unwritable } from './files.ts'
import { type Profile, readProfile } from './profile.ts'

/** The options that every command of an account takes. */
export type AccountOptions = {
  baseUrl?: string
  keyFile?: string
  json?: boolean
  /** A repeatable command takes it. */
  idempotencyKey?: string
}

/** The file that a development service writes for scripts. */
export type DevFile = {
  base_url: string
  network: `eip155:${number}`
  chain_id: number
  rpc_url: string
  usdc: `0x${string}`
  treasury: `0x${string}`
  demo: { wallet_address: string; private_key: string; api_key: string }
}

/** A client for the service and the API key that the options, environment or profile name. */
export async function connect(options: AccountOptions): Promise<Purser> {
  const { baseUrl, dev, profile } = await findService(options)
  const apiKey = await findKey(options, { baseUrl, dev, profile })
  return underKey(watched({ baseUrl, apiKey }), options.idempotencyKey)
}

/** As `connect`, for what needs no key: sends one only where there is one. */
export async function connectOpen(options: AccountOptions): Promise<Purser> {
  const found = await findService(options)
  const apiKey = await lookForKey(options, found)
  const client = { baseUrl: found.baseUrl, ...(apiKey !== undefined && { apiKey }) }
  return underKey(watched(client), options.idempotencyKey)
}

type Found = { baseUrl: string; dev: DevFile | undefined; profile: Profile | undefined }

/** The service's address: as named, else the local one, else that of `purser login`. */
export async function findService(options: { baseUrl?: string }): Promise<Found> {
  const [dev, profile] = await Promise.all([readDevFile(), readProfile()])
  const named = options.baseUrl ?? process.env.PURSER_BASE_URL
  const baseUrl = named ?? dev?.base_url ?? profile?.base_url
  if (!baseUrl)
    throw new Fault(
      'No service is named: start one with `npm start`, sign in with `npx purser login`, or set PURSER_BASE_URL.',
    )
  return { baseUrl, dev, profile }
}

async function findKey(options: AccountOptions, found: Found): Promise<string> {
  const key = await lookForKey(options, found)
  if (key !== undefined) return key
  throw new Fault(
    'No API key is given: sign in with `npx purser login`, set PURSER_API_KEY, or name a file that holds it with --key-file.',
  )
}

async function lookForKey(
  options: AccountOptions,
  { baseUrl, dev, profile }: Found,
): Promise<string | undefined> {
  if (options.keyFile) return readSecretFile(options.keyFile)
  if (process.env.PURSER_API_KEY) return process.env.PURSER_API_KEY.trim()
  // Send a key only to its own service.
  if (dev && sameOrigin(dev.base_url, baseUrl)) return dev.demo.api_key
  if (profile && sameOrigin(profile.base_url, baseUrl)) return profile.api_key
  return undefined
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

/**
 * Makes a new file that only its owner may read, and writes the result of `make` to it. The file is created first: a
 * secret that is shown once must not be made if it cannot be stored. Removes the file if `make` fails.
 */
export async function keepSecret<T>(
  path: string,
  make: () => Promise<{ secret: string; result: T }>,
): Promise<T> {
  const file = await open(path, 'wx', 0o600).catch((cause) => {
    if (cause.code === 'EEXIST')
      throw new Fault(`${path} exists already; name another file.`, { cause })
    throw unwritable(path, cause)
  })
  try {
    const { secret, result } = await make()
    await file.writeFile(`${secret}\n`).catch((cause) => {
      throw unwritable(path, cause)
    })
    return result
  } catch (error) {
    await rm(path)
    throw error
  } finally {
    await file.close()
  }
}
