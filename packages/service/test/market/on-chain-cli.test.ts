/** The CLI sells and buys on chain as people do: with the demo wallet, with a file of a key, with a wallet elsewhere. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { ended, newBuyer, signWire, withdrawnCard } from '../actors/identity/on-chain-sales.ts'
import { PASSED_ON } from '../actors/program.ts'
import { freshAccount } from '../world/chain.ts'
import { world } from '../world.ts'

const BIN = fileURLToPath(new URL('../../../cli/bin/purser.js', import.meta.url))

async function shell() {
  const folder = await mkdtemp(join(tmpdir(), 'purser-sale-'))
  const file = (name: string) => join(folder, name)
  return {
    file,
    write: (name: string, text: string) => writeFile(file(name), text, { mode: 0o600 }),
    read: async (name: string) => JSON.parse(await readFile(file(name), 'utf8')),
    purser: (args: string[], env: Record<string, string> = {}) =>
      new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
        const child = spawn(process.execPath, [BIN, 'market', ...args], {
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
      }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

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

  const elsewhere = await newBuyer(w)
  const payment = sh.file('payment.json')
  const prepared = await sh.purser(['prepare', listing.id, '--save', payment], as(elsewhere.key))
  expect([prepared.code, prepared.err]).toEqual([0, ''])
  const { typed_data } = await sh.read('payment.json')
  expect(typed_data.message).toMatchObject({ from: elsewhere.wallet, value: '25000000' })
  const signature = await signWire(elsewhere.account, typed_data)
  const late = ['buy', listing.id, '--payment', payment, '--signature', signature]

  const file = ['--wallet-file', sh.file('buyer.key')]
  const bought = await sh.purser(['buy', listing.id, ...file], as(buyer.key))
  expect(bought.err).toBe('')
  expect(bought.out).toMatch(/Status +SETTLING/)
  const second = await sh.purser(late, as(elsewhere.key))
  expect([second.code, second.err]).toEqual([1, expect.stringContaining('SETTLING')])
  await ended(w, listing.id)
  const shown = await sh.purser(['show', listing.id])
  expect(shown.out).toMatch(/Status +SOLD/)
  expect(shown.out).toMatch(/Transaction +0x[0-9a-f]{64}/)
  expect(shown.out).toContain(buyer.wallet)
})
