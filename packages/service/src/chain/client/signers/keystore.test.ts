import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { Hex } from '../../../base/kernel/assets.ts'
import { randomHex, Secret } from '../../../base/kernel/secrets.ts'
import { createKeystore, openKeystore } from './keystore.ts'

// The test vectors of the Web3 Secret Storage Definition.
const PASSWORD = new Secret('testpassword')
const KEY = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
const PBKDF2 = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      c: 262144,
      dklen: 32,
      prf: 'hmac-sha256',
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
}
// From go-ethereum's test data.
const GETH_PASSWORD = new Secret('foobar')
const SCRYPT = {
  address: '7ef5a6135f1fd6a02593eedc869c6d41d934aef8',
  crypto: {
    cipher: 'aes-128-ctr',
    ciphertext: '1d0839166e7a15b9c1333fc865d69858b22df26815ccf601b28219b6192974e1',
    cipherparams: { iv: '8df6caa7ff1b00c4e871f002cb7921ed' },
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 8,
      p: 16,
      r: 8,
      salt: 'e5e6ef3f4ea695f496b643ebd3f75c0aa58ef4070e90c80c5d3fb0241bf1595c',
    },
    mac: '6d16dfde774845e4585357f24bce530528bc69f4f84e1e22880d34fa45c273e5',
  },
  id: '950077c7-71e3-4c44-a4a1-143919141ed4',
  version: 3,
}
const LIGHT = 1024

test('opens the definition’s own vector', async () => {
  expect((await openKeystore(JSON.stringify(PBKDF2), PASSWORD)).reveal()).toBe(KEY)
})

test('opens a file that geth wrote', async () => {
  const key = await openKeystore(JSON.stringify(SCRYPT), GETH_PASSWORD)
  const address = privateKeyToAddress(key.reveal() as Hex).toLowerCase()
  expect(address).toBe(`0x${SCRYPT.address}`)
})

test('opens a file that writes crypto with a capital', async () => {
  const { crypto, ...rest } = PBKDF2
  const file = JSON.stringify({ ...rest, Crypto: crypto })
  expect((await openKeystore(file, PASSWORD)).reveal()).toBe(KEY)
})

test('opens what it made, with any passphrase, and makes no two alike', async () => {
  for (const words of ['correct horse', 'pässwörd ✓', ' ', 'x'.repeat(1000)]) {
    const key = new Secret(randomHex(32))
    const made = await createKeystore(key, new Secret(words), LIGHT)
    const again = await createKeystore(key, new Secret(words), LIGHT)
    expect((await openKeystore(JSON.stringify(made), new Secret(words))).reveal()).toBe(
      key.reveal(),
    )
    expect(`0x${made.address}`).toBe(privateKeyToAddress(key.reveal() as Hex).toLowerCase())
    expect(made.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(made.crypto.ciphertext).not.toBe(again.crypto.ciphertext)
    expect(made.id).not.toBe(again.id)
  }
})

test('costs a guess as much as geth’s unless the file says otherwise', async () => {
  const made = await createKeystore(new Secret(KEY), PASSWORD)
  expect(made.crypto.kdfparams).toMatchObject({ n: 262_144, r: 8, p: 1 })
  expect((await openKeystore(JSON.stringify(made), PASSWORD)).reveal()).toBe(KEY)
})

describe('refuses', () => {
  const refusal = async (text: string, passphrase = PASSWORD) => {
    const error = await openKeystore(text, passphrase).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'SignerError' })
    return error as Error
  }

  test('a wrong passphrase, and a file with any byte changed', async () => {
    const made = await createKeystore(new Secret(KEY), PASSWORD, LIGHT)
    const wrong = /passphrase does not open the keystore, or the file is damaged/
    expect((await refusal(JSON.stringify(made), new Secret('Testpassword'))).message).toMatch(wrong)
    const { crypto } = made
    const flip = (hex: string) => (hex.startsWith('0') ? '1' : '0') + hex.slice(1)
    const changes = [
      { ...crypto, mac: flip(crypto.mac) },
      { ...crypto, ciphertext: flip(crypto.ciphertext) },
      { ...crypto, kdfparams: { ...crypto.kdfparams, salt: flip(crypto.kdfparams.salt) } },
    ]
    for (const crypto of changes)
      expect((await refusal(JSON.stringify({ ...made, crypto }))).message).toMatch(wrong)
    // The MAC does not cover the iv, so the address reveals the change.
    const iv = { ...crypto, cipherparams: { iv: flip(crypto.cipherparams.iv) } }
    expect((await refusal(JSON.stringify({ ...made, crypto: iv }))).message).toMatch(
      /address is not that of the key|no private key/,
    )
  })

  test('what is no keystore, without quoting it', async () => {
    for (const text of ['', KEY, '[]', 'null', '{}', '{"version":3}', '{"version":1}'])
      expect((await refusal(text)).message).toMatch(/not JSON|not of version 3/)
    const error = await refusal(KEY)
    expect(`${error.message} ${String(error.cause)}`).not.toContain(KEY.slice(2, 10))
  })

  test('work that would stall the service', async () => {
    const asks = (kdf: string, kdfparams: object) =>
      JSON.stringify({
        ...SCRYPT,
        crypto: { ...SCRYPT.crypto, kdf, kdfparams: { dklen: 32, salt: '00', ...kdfparams } },
      })
    const files = [
      asks('scrypt', { n: 2 ** 24, r: 8, p: 1 }),
      asks('scrypt', { n: 1000, r: 8, p: 1 }),
      asks('scrypt', { n: 1024, r: 8, p: 1000 }),
      asks('scrypt', { n: '1024', r: 8, p: 1 }),
      asks('pbkdf2', { c: 10 ** 9, prf: 'hmac-sha256' }),
      asks('pbkdf2', { c: 1000, prf: 'hmac-md5' }),
      asks('bcrypt', {}),
      asks('scrypt', { n: 1024, r: 8, p: 1, dklen: 16 }),
    ]
    for (const file of files) expect((await refusal(file)).message).toMatch(/members are missing/)
  })

  test('scrypt beyond its own bounds, as some old programs wrote it', async () => {
    const kdfparams = { ...SCRYPT.crypto.kdfparams, n: 262_144, r: 1, p: 8 }
    const file = JSON.stringify({ ...SCRYPT, crypto: { ...SCRYPT.crypto, kdfparams } })
    expect((await refusal(file)).message).toMatch(/n too great for its r/)
  })

  test('to make one without a passphrase', async () => {
    await expect(createKeystore(new Secret(KEY), new Secret(''), LIGHT)).rejects.toThrow(
      /needs a passphrase/,
    )
  })
})
