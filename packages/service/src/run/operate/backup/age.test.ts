import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { KEY_FAULTS, readBackupKeys } from '../../config/backup-keys.ts'
import { Damaged, decryptWith, encryptTo, isAge, WrongKey } from './age.ts'

// Made by age-keygen 1.1.1, and the known key of age's own test files.
const OURS = 'AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX'
const RECIPIENT = 'age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj'
const OTHER = 'AGE-SECRET-KEY-1XQTLHMDML4JXX4HLEM7RPAR2HNF64Y8FVUHL3292T4W8KDWEGVRSNCQKY5'
const STRANGER = 'age1gj2ju0jawu2ycs07k8ywny9yvstnh9z72k8qxfqvdw3rfqlgve8s7ehzm4'
/** By `age` 1.1.1 for both of them. */
const BY_AGE = `YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBXenUwSUJUYmJ2QXpMVnhFTWJXQmxxZ2Zzcy9qdXV3bk1kZEFqTGJ2RHpFCmVzQWx0NGRJblZxei9HSlZyUmVjV3hqQVlUbHRnb2UzdGd3aUdVNWJzKzgKLT4gWDI1NTE5IEY4UmlNSG5aWVY4MDNhc2wycVBvWGVKbk91ZjVodDJTSVMxcDI2bTZ3bGMKNExSMTBSaXAvQXo5QUtBT0h3SDRjMUpHbmVuNEp2SmFBMkVLTDgrYWg0VQotLS0gSmI5bFk4TC9yNVp2dVE3VDF1UmZ3K29TR0pMQ2lCamtiaURnR0tSL3JIVQoW7lw4LVj4KmgCXDmQbZrKOzM4BRqC0SgD9bliXG+0tPZl+ivEx6jrPqi1iK9P`

const keysOf = (recipients: string, identities: string, faults: string[] = []) =>
  readBackupKeys({
    text: (name) => (name === 'PURSER_BACKUP_RECIPIENT' ? recipients : identities),
    fault: (fault) => void faults.push(fault),
  })
const ours = keysOf(RECIPIENT, `# created: 2026-11-29\n${OURS}\n`)
const CHUNK = 65_536

async function whole(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const part of parts) all.push(part)
  return Buffer.concat(all)
}
const encrypted = (plain: Buffer) => whole(encryptTo(ours.recipients)(Readable.from([plain])))
const decrypted = (file: Buffer, keys = ours.identities) =>
  whole(decryptWith(keys, Readable.from([file.subarray(0, 70), file.subarray(70)])))

test('a file of age is opened, by the key of any of its recipients', async () => {
  for (const identity of [OURS, OTHER])
    expect(
      String(await decrypted(Buffer.from(BY_AGE, 'base64'), keysOf('', identity).identities)),
    ).toBe('a line of age\n')
})

test.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])(
  '%i bytes come back as they were',
  async (size) => {
    const file = await encrypted(Buffer.alloc(size, 'x'))
    expect(isAge(file)).toBe(true)
    expect((await decrypted(file)).equals(Buffer.alloc(size, 'x'))).toBe(true)
  },
)

test('another key, a changed byte and a file that is cut off each have their own error', async () => {
  const file = await encrypted(Buffer.alloc(2 * CHUNK, 'x'))
  await expect(decrypted(file, keysOf('', OTHER).identities)).rejects.toThrow(WrongKey)
  await expect(decrypted(file, [])).rejects.toThrow(WrongKey)
  const start = file.indexOf('--- ')
  // A byte of the header's code, of the nonce, and of each chunk.
  for (const at of [start + 6, start + 60, start + 100, file.length - 1]) {
    const changed = Buffer.from(file)
    changed[at] = (changed[at] ?? 0) ^ 2
    await expect(decrypted(changed), `byte ${at}`).rejects.toThrow(Damaged)
  }
  // At the end of a chunk as well, where each part by itself is right.
  for (const end of [20, start + 30, file.length - 1, file.length - CHUNK - 16])
    await expect(decrypted(file.subarray(0, end)), `until ${end}`).rejects.toThrow(Damaged)
})

test('keys are read as age-keygen writes them, and other texts are refused', () => {
  const both = keysOf(`${RECIPIENT}, ${STRANGER}`, '')
  expect([both.recipients.length, both.identities.length]).toEqual([2, 0])
  const faults: string[] = []
  keysOf(RECIPIENT.slice(1), OURS.toLowerCase(), faults)
  expect(faults).toEqual(Object.values(KEY_FAULTS))
})

test('a key with a letter that is wrong has a sentence, which does not hold it', async () => {
  const wrong = (key: string) => key.replace(/E/i, 'F').replace(/z/, 'y')
  expect(() => encryptTo([wrong(RECIPIENT)])).toThrow(KEY_FAULTS.PURSER_BACKUP_RECIPIENT)
  const file = await encrypted(Buffer.from('x'))
  await expect(decrypted(file, [wrong(OURS)])).rejects.toThrow(KEY_FAULTS.PURSER_BACKUP_IDENTITY)
})
