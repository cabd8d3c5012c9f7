import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAddress } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { randomHex, Secret } from '../../../base/kernel/secrets.ts'
import { createKeystore } from './keystore.ts'
import { openSigner } from './open.ts'
import { parseKeyReference } from './reference.ts'

const key = randomHex(32)
let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keys-'))
  path = join(folder, 'key')
})
afterEach(() => rm(folder, { recursive: true }))

async function open(text: string, env: Record<string, string> = {}) {
  const reference = parseKeyReference(text)
  if (reference.kind === 'fault') throw new Error(reference.fault)
  return openSigner(reference, env)
}

test('opens a key that is given, in a file, and in a keystore', async () => {
  const address = privateKeyToAddress(key)
  expect((await open(key)).address).toBe(address)
  await writeFile(path, `${key}\n`, { mode: 0o600 })
  expect((await open(`file:${path}`)).address).toBe(address)
  const keystore = await createKeystore(new Secret(key), new Secret('open sesame'), 1024)
  await writeFile(path, JSON.stringify(keystore))
  const env = { PURSER_KEYSTORE_PASSPHRASE: 'open sesame' }
  expect((await open(`keystore:${path}`, env)).address).toBe(address)
})

test('says what is wrong with a file, without what is in it', async () => {
  await expect(open(`file:${path}`)).rejects.toThrow(/does not exist: correct the path/)
  await writeFile(path, `${key}0`, { mode: 0o600 })
  await expect(open(`file:${path}`)).rejects.toThrow(/does not hold a private key/)
  await chmod(path, 0o640)
  await expect(open(`file:${path}`)).rejects.toThrow(/Others may read .*: run chmod 600/)
  await expect(open(`keystore:${path}`)).rejects.toThrow(/Set PURSER_KEYSTORE_PASSPHRASE/)
  const complaint = await open(`keystore:${path}`, { PURSER_KEYSTORE_PASSPHRASE: 'x' }).catch(
    String,
  )
  expect(complaint).toMatch(/The keystore .* cannot be opened\. The keystore is not JSON/)
  expect(complaint).not.toContain(key.slice(2, 12))
})
