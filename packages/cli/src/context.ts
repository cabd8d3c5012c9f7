import { open, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Purser } from '@purser/sdk'
import { type Variable, variable } from './account/environment.ts'
import { underKey, watched } from './calls.ts'
import { Fault } from './fault.ts'
import { readOptional, readSecretFile, unwritable } from './files.ts'
import { currentProfile, type NamedProfile, readProfile } from './profile.ts'

/** The options that every command of an account takes. */
export type AccountOptions = {
  baseUrl?: string
  keyFile?: string
  profile?: string
  json?: boolean
  /** A repeatable command takes it. */
  idempotencyKey?: string
  /** A list takes it: the names of the columns to show. */
  columns?: string[]
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
  return underKey(watched(await findAccount(options)), options.idempotencyKey)
}

/** The service, and the API key for it. */
export async function findAccount(
  options: AccountOptions,
): Promise<{ baseUrl: string; apiKey: string }> {
  const found = await findService(options)
  return { baseUrl: found.baseUrl, apiKey: await findKey(options, found) }
}

/** As `connect`, for what needs no key: sends one only where there is one. `token` names a variable that holds another. */
export async function connectOpen(options: AccountOptions, token?: string): Promise<Purser> {
  const found = await findService(options)
  const set = token === undefined ? undefined : variable(token)
  const apiKey = set ? guarded(set, found.isOfFile) : await lookForKey(options, found)
  const client = { baseUrl: found.baseUrl, ...(apiKey !== undefined && { apiKey }) }
  return underKey(watched(client), options.idempotencyKey)
}

/** The service, and where its key may be: the local service, or the profile that names it. */
type Found = {
  baseUrl: string
  dev: DevFile | undefined
  profile: NamedProfile | undefined
  /** Whether `.env` of this folder names the service. */
  isOfFile: boolean
}

/**
 * The service's address: of `--base-url`, else of `--profile`, else of the environment, else the local one, else that of the
 * profile in use.
 */
export async function findService(options: { baseUrl?: string; profile?: string }): Promise<Found> {
  const dev = await readDevFile()
  const byName = options.profile === undefined ? undefined : await readProfile(options.profile)
  if (options.baseUrl !== undefined)
    return { baseUrl: options.baseUrl, dev, profile: byName, isOfFile: false }
  if (byName) return { baseUrl: byName.base_url, dev, profile: byName, isOfFile: false }
  const named = variable('PURSER_BASE_URL')
  const chosen = variable('PURSER_PROFILE')
  const profile = chosen ? await readProfile(chosen.value) : await currentProfile()
  if (named) return { baseUrl: named.value, dev, profile, isOfFile: named.isOfFile }
  const baseUrl = chosen ? profile?.base_url : (dev?.base_url ?? profile?.base_url)
  if (!baseUrl)
    throw new Fault(
      'No service is named: start one with `npx purser start`, sign in with `npx purser login`, or set PURSER_BASE_URL.',
    )
  return { baseUrl, dev, profile, isOfFile: false }
}

async function findKey(options: AccountOptions, found: Found): Promise<string> {
  const key = await lookForKey(options, found)
  if (key !== undefined) return key
  throw new Fault(
    'No API key is given: sign in with `npx purser login`, set PURSER_API_KEY, or name a file that holds it with --key-file.',
  )
}

async function lookForKey(options: AccountOptions, found: Found): Promise<string | undefined> {
  const { baseUrl, dev, profile, isOfFile } = found
  if (options.keyFile) return readSecretFile(options.keyFile)
  const isChosen = options.profile !== undefined
  const set = isChosen ? undefined : variable('PURSER_API_KEY')
  if (set) return guarded(set, isOfFile)
  // Send a key only to its own service.
  const isOwn = (of: string) => sameOrigin(of, baseUrl)
  if (profile && isChosen && !isOwn(profile.base_url))
    throw new Fault(`The profile ${profile.name} is of ${profile.base_url}, not of ${baseUrl}.`)
  if (profile && isChosen) return profile.api_key
  if (dev && isOwn(dev.base_url)) return dev.demo.api_key
  if (profile && isOwn(profile.base_url)) return profile.api_key
  return undefined
}

/** A `.env` that came with a folder must not have a secret of the environment sent to a service of its choice. */
export function guarded(secret: Variable, isServiceOfFile: boolean): string {
  if (isServiceOfFile && !secret.isOfFile)
    throw new Fault(
      'The .env of this folder names the service, and your environment the secret: name both in one place, or the service with --base-url.',
    )
  return secret.value.trim()
}

function sameOrigin(a: string, b: string): boolean {
  if (!URL.canParse(b)) throw new Fault(`${b} is not a URL.`)
  return new URL(a).origin === new URL(b).origin
}

/** `dev.json` of the embedded service, if there is one. */
export async function readDevFile(): Promise<DevFile | undefined> {
  const path = join(resolve(variable('PURSER_DATA_DIR')?.value ?? './data'), 'dev.json')
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
