import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { createApiKey, createPurser } from '@purser/sdk'
import type { Command } from 'commander'
import { command } from '../command.ts'
import { askService } from '../commands/run-service.ts'
import { readDevFile } from '../context.ts'
import { Fault } from '../fault.ts'
import { readSecretFile } from '../files.ts'
import { print } from '../output.ts'
import {
  checkPlace,
  currentProfile,
  forgetProfile,
  listProfiles,
  type Profile,
  profilePath,
  readProfile,
  saveProfile,
} from '../profile.ts'
import { type CliWallet, openKeystore, walletOf } from '../wallet.ts'
import { variable } from './environment.ts'

/** The file of a wallet. */
export type WalletOptions = { walletFile?: string; keystore?: string; passphraseFile?: string }
type LoginOptions = WalletOptions & {
  json?: boolean
  baseUrl?: string
  profile?: string
  operator?: string
}

export const withWallet = (made: Command): Command =>
  made
    .option('--wallet-file <file>', 'a 0600 file with the wallet’s private key')
    .option('--keystore <file>', 'a keystore of geth, Foundry or MetaMask')
    .option('--passphrase-file <file>', 'a 0600 file with the keystore’s passphrase (else asked)')

export const loginCommand = command<LoginOptions>({
  name: 'login',
  summary: 'sign in with a wallet, and keep an API key for the commands on this machine',
  example: 'npx purser login --base-url https://pay.example --keystore ~/.foundry/keystores/agent',
  options: (made) =>
    withWallet(
      made
        .option('--base-url <url>', 'the service (else PURSER_BASE_URL, else the local one)')
        .option('--profile <name>', 'the name to keep it under (else default)')
        .option(
          '--operator <wallet>',
          'on the machine of the service: the first key of a wallet, without its signature',
        ),
    ),
  run: async ({ json, ...options }) => {
    const name = options.profile ?? variable('PURSER_PROFILE')?.value ?? 'default'
    const path = profilePath(name)
    const replaced = (await listProfiles()).includes(name)
    await checkPlace(name)
    const { api_key, key_hash, ...who } =
      options.operator === undefined
        ? await signIn(await openWallet(options), await serviceFor(name, options))
        : await firstKey(options.operator, options.baseUrl)
    await saveProfile({ ...who, key_hash, api_key, name })
    print({ ...who, profile: name, saved: path }, json, () =>
      [
        `Signed in to ${who.base_url} as ${who.wallet_address}. The API key is in ${path}.`,
        ...(replaced ? ['The key that was there stays good: see `purser keys list`.'] : []),
      ].join('\n'),
    )
  },
})

async function signIn(wallet: CliWallet, baseUrl: string): Promise<Profile> {
  const apiKey = await createApiKey({ baseUrl }, wallet)
  // The service lists a key by this hash, and revokes it by it.
  const key_hash = createHash('sha256').update(apiKey).digest('hex')
  return { base_url: baseUrl, wallet_address: wallet.address, key_hash, api_key: apiKey }
}

/** The database of this machine's service makes it, as its operator may. */
async function firstKey(wallet: string, baseUrl: string | undefined): Promise<Profile> {
  const made = JSON.parse(await askService(['first-key', wallet])) as Profile
  return { ...made, ...(baseUrl !== undefined && { base_url: baseUrl }) }
}

/** The service to sign in to: a profile that is there names its own, where nothing else does. */
async function serviceFor(name: string, { baseUrl, profile }: LoginOptions): Promise<string> {
  const named = baseUrl ?? (profile === undefined ? variable('PURSER_BASE_URL')?.value : undefined)
  if (named !== undefined) return named
  const before = (await listProfiles()).includes(name)
    ? (await readProfile(name)).base_url
    : undefined
  const local = profile === undefined ? (await readDevFile())?.base_url : undefined
  const found = local ?? before ?? variable('PURSER_BASE_URL')?.value
  if (found !== undefined) return found
  throw new Fault(
    'No service is named: name it with --base-url, or start one with `npx purser start`.',
  )
}

export const logoutCommand = command<{ json?: boolean; profile?: string }>({
  name: 'logout',
  summary: 'revoke the API key that login made, and forget it',
  example: 'npx purser logout',
  options: (made) => made.option('--profile <name>', 'the sign-in (else the one in use)'),
  run: async ({ json, profile: name }) => {
    const profile = name === undefined ? await currentProfile() : await readProfile(name)
    if (!profile) throw new Fault('Nobody is signed in on this machine.')
    const purser = createPurser({ baseUrl: profile.base_url, apiKey: profile.api_key })
    await purser.DELETE('/api/keys/{hash}', { params: { path: { hash: profile.key_hash } } })
    await forgetProfile(profile.name)
    print({ revoked: profile.key_hash }, json, () => 'The key is revoked and forgotten.')
  },
})

/** The wallet that these options name. */
export async function openWallet(options: WalletOptions): Promise<CliWallet> {
  const { walletFile, keystore, passphraseFile } = options
  if (walletFile && !keystore) return walletOf(await readSecretFile(walletFile))
  if (!keystore || walletFile)
    throw new Fault(
      'Name the wallet that signs in: --keystore FILE, or --wallet-file FILE with its private key.',
    )
  const text = await readFile(keystore, 'utf8').catch((cause) => {
    throw new Fault(`${keystore} cannot be read.`, { cause })
  })
  return openKeystore(text, await readPassphrase(passphraseFile))
}

/** Asks on the terminal without echoing the input. */
async function readPassphrase(file: string | undefined): Promise<string> {
  if (file) return readSecretFile(file)
  if (!process.stdin.isTTY)
    throw new Fault('No terminal to ask for the passphrase: name a file with --passphrase-file.')
  process.stderr.write('Passphrase: ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
