/** The CLI sells and buys on chain as people do: with the demo wallet, with a file of a key, with a wallet elsewhere. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { Secret } from '../../src/base/kernel/secrets.ts'
import { createKeystore } from '../../src/chain/client/signers/keystore.ts'
import { carried } from '../actors/identity/identities.ts'
import { ended, newBuyer, signWire, withdrawnCard } from '../actors/identity/on-chain-sales.ts'
import { PASSED_ON } from '../actors/program.ts'
import { until } from '../until.ts'
import { freshAccount } from '../world/chain.ts'
import { type User, world } from '../world.ts'

const BIN = fileURLToPath(new URL('../../../cli/bin/purser.js', import.meta.url))

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
/** The commands of the page about sales on chain, which need a card in a wallet. */
const documented = (): string[] =>
  [
    ...readFileSync(join(ROOT, 'docs/market.md'), 'utf8').matchAll(/^```bash\n([\s\S]*?)^```$/gm),
  ].map(([, commands = '']) => commands)
/** A wallet elsewhere, which signs what is in a file. */
const SIGN = `import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
const { privateKeyToAccount } = createRequire('${ROOT}')('viem/accounts')
const { typed_data } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
console.log(await privateKeyToAccount(process.env.SELLER_KEY).signTypedData(typed_data))`
/** The reader's shell: \`pick\` is of the walk. */
const SHELL = `set -euo pipefail
npx() { node "${BIN}" "\${@:2}"; }
pick() { node -p "JSON.parse(process.argv[1]).$2" "$1"; }
sign() { node sign.mjs "$1"; }
`

/** Waits until the service has taken the payment. */
async function accepted(buyer: User, listingId: string): Promise<void> {
  await until(
    async () => (await buyer.get(`/api/listings/${listingId}`)).body.listing.status,
    (status) => status !== 'LISTED',
  )
}

async function shell() {
  const folder = await mkdtemp(join(tmpdir(), 'purser-sale-'))
  const file = (name: string) => join(folder, name)
  return {
    file,
    write: (name: string, text: string) => writeFile(file(name), text, { mode: 0o600 }),
    read: async (name: string) => JSON.parse(await readFile(file(name), 'utf8')),
    purser: (args: string[], env: Record<string, string> = {}) =>
      run([process.execPath, BIN, 'market', ...args], { folder, env }),
    bash: (script: string, env: Record<string, string>) =>
      run(['bash', '-c', `${SHELL}${script}`], { folder, env }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

const run = (
  [program = '', ...args]: string[],
  { folder, env }: { folder: string; env: Record<string, string> },
) =>
  new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...PASSED_ON, PURSER_DATA_DIR: folder, ...env } as Record<string, string>,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said = { out: '', err: '' }
    child.stdout.on('data', (text) => {
      said.out += text
    })
    child.stderr.on('data', (text) => {
      said.err += text
    })
    child.once('close', (code) => resolve({ code, ...said }))
  })

test('a card is listed, shown, prepared for and bought on chain from the command line', async () => {
  await using w = await world({ identities: true })
  await using sh = await shell()
  const base_url = await w.listen()
  const [sellerKey, buyerKey] = [generatePrivateKey(), generatePrivateKey()]
  const { seller, id } = await withdrawnCard(w, { account: privateKeyToAccount(sellerKey) })
  const demo = { wallet_address: seller.wallet, private_key: sellerKey, api_key: seller.key }
  const { chainId: chain_id } = w.chain
  await sh.write('dev.json', JSON.stringify({ base_url, rpc_url: w.rpcUrl, chain_id, demo }))

  const sold = await sh.purser(['sell', id, '--price', '25', '--on-chain', '--json'])
  expect(sold.err).toBe('')
  const { listing } = JSON.parse(sold.out)
  expect(listing).toMatchObject({ mode: 'onchain', status: 'LISTED', price: 25, sellable: true })

  const account = await freshAccount({ usdc: 100_000_000n, account: privateKeyToAccount(buyerKey) })
  const buyer = await w.user({ account })
  const as = (key: string) => ({ PURSER_API_KEY: key })
  await sh.write('buyer.key', buyerKey)
  // The demo wallet is not the buyer, and signs nothing in its name.
  const wrong = await sh.purser(['buy', listing.id], as(buyer.key))
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('something else')])
  expect((await sh.purser(['cancel', listing.id])).code).toBe(0)

  // The commands of the document, as they stand there.
  const passphrase = 'correct horse'
  const keystore = await createKeystore(new Secret(sellerKey), new Secret(passphrase), 2 ** 10)
  await sh.write('seller.json', JSON.stringify(keystore))
  await sh.write('passphrase', passphrase)
  await sh.write('sign.mjs', SIGN)
  const [keep, elsewhereSigned, bought] = documented()
  const env = { CARD: id, SELLER_KEY: sellerKey, BUYER_API_KEY: buyer.key }
  const listed = await sh.bash(`${keep}\n${elsewhereSigned}\necho "$LISTING"`, env)
  expect([listed.code, listed.err]).toEqual([0, ''])
  expect(listed.out).toMatch(/Status\tLISTED[\s\S]+ is CANCELLED\./)
  const LISTING = listed.out.trim().split('\n').at(-1) ?? ''

  const elsewhere = await newBuyer(w)
  const payment = sh.file('payment.json')
  const prepared = await sh.purser(['prepare', LISTING, '--save', payment], as(elsewhere.key))
  expect([prepared.code, prepared.err]).toEqual([0, ''])
  const { typed_data } = await sh.read('payment.json')
  expect(typed_data.message).toMatchObject({ from: elsewhere.wallet, value: '30000000' })
  const signature = await signWire(elsewhere.account, typed_data)
  const waited = sh.bash(bought ?? '', { ...env, LISTING })
  await accepted(buyer, LISTING)
  const late = ['buy', LISTING, '--payment', payment, '--signature', signature]
  const second = await sh.purser(late, as(elsewhere.key))
  expect([second.code, second.err]).toEqual([1, expect.stringContaining('SETTLING')])
  await ended(w, LISTING)
  const { code, out, err } = await waited
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/Status\tSOLD/)
  expect(out).toMatch(/Transaction\t0x[0-9a-f]{64}/)
  expect(out).toContain(buyer.wallet)
  await carried(w, id)
  // Its new owner has not let the market move the token yet.
  const resold = ['sell', id, '--price', '40', '--on-chain', '--wallet-file', sh.file('buyer.key')]
  const named = await sh.purser(resold, as(buyer.key))
  expect([named.code, named.err]).toEqual([1, expect.stringMatching(/Send this[\s\S]+0xa22cb465/)])
})
