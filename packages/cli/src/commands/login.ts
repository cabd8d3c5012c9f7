import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { createApiKey, createPurser } from '@purser/sdk'
import type { Command } from 'commander'
import { command } from '../command.ts'
import { findService } from '../context.ts'
import { Fault } from '../fault.ts'
import { readSecretFile } from '../files.ts'
import { print } from '../output.ts'
import { forgetProfile, profilePath, readProfile, saveProfile } from '../profile.ts'
import { type CliWallet, openKeystore, walletOf } from '../wallet.ts'

/** The file of a wallet. */
export type WalletOptions = { walletFile?: string; keystore?: string; passphraseFile?: string }
type LoginOptions = WalletOptions & { json?: boolean; baseUrl?: string }

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
      made.option('--base-url <url>', 'the service (else PURSER_BASE_URL, else the local one)'),
    ),
  run: async ({ json, ...options }) => {
    const wallet = await openWallet(options)
    const { baseUrl, profile: before } = await findService(options)
    const apiKey = await createApiKey({ baseUrl }, wallet)
    // The service lists a key by this hash, and revokes it by it.
    const key_hash = createHash('sha256').update(apiKey).digest('hex')
    const who = { base_url: baseUrl, wallet_address: wallet.address }
    await saveProfile({ ...who, key_hash, api_key: apiKey })
    const path = profilePath()
    const shown = { ...who, saved: path }
    print(shown, json, () =>
      [
        `Signed in to ${baseUrl} as ${wallet.address}. The API key is in ${path}.`,
        ...(before
          ? [`The key that was there, of ${before.base_url}, stays good: see \`purser keys list\`.`]
          : []),
      ].join('\n'),
    )
  },
})

export const logoutCommand = command({
  name: 'logout',
  summary: 'revoke the API key that login made, and forget it',
  example: 'npx purser logout',
  run: async ({ json }) => {
    const profile = await readProfile()
    if (!profile) throw new Fault('Nobody is signed in on this machine.')
    const purser = createPurser({ baseUrl: profile.base_url, apiKey: profile.api_key })
    await purser.DELETE('/api/keys/{hash}', { params: { path: { hash: profile.key_hash } } })
    await forgetProfile()
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
