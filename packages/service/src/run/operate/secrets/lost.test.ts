import { expect, test } from 'vitest'
import { world } from '../../../../test/world.ts'
import { sql } from '../../../base/db/sql.ts'
import { randomHex, Secret } from '../../../base/kernel/secrets.ts'
import { checkpointKeysOf } from '../../../base/signing-keys/checkpoint-keys.ts'
import { Keyring } from '../../../base/signing-keys/keyring.ts'
import { sealBooks } from '../../../money/ledger/seals/seal-books.ts'
import { acceptSettings } from '../start/agreed-settings.ts'
import { insertSettings, replaceSettings } from '../store.ts'
import { findSecretFault } from './check.ts'
import { markOf } from './kept.ts'
import { SECRET_SETTING } from './store.ts'

/** A service whose books are sealed by a secret that is lost, and a machine with another one. */
async function openStage(stack: AsyncDisposableStack) {
  const w = stack.use(await world())
  const at = w.now()
  await w.write((tx) => insertSettings(tx, at, { [SECRET_SETTING]: markOf(w.secret) }))
  const user = await w.user({ treasury: 20 })
  await user.card({ limit: 1 })
  await sealBooks(w.db, at, { keys: checkpointKeysOf(new Keyring([w.secret])) })
  const secrets = new Keyring([new Secret(randomHex(32).slice(2))])
  const machine = stack.use(await w.machine({ secrets }))
  const checkpointKeys = checkpointKeysOf(secrets)
  const here = { [SECRET_SETTING]: markOf(secrets.current) }
  const accept = (isSecretLost = true) =>
    acceptSettings(w.db, w.now(), { here, secrets, checkpointKeys, isSecretLost })
  return { w, user, machine, secrets, checkpointKeys, accept }
}

test('where the secret is lost and another is accepted, the books are sealed and checked by it from then on', async () => {
  await using stack = new AsyncDisposableStack()
  const { w, user, machine, secrets, checkpointKeys, accept } = await openStage(stack)
  expect(JSON.stringify(await machine.faults())).toMatch(
    /checkpoint \d+ was made with key \w+, which/,
  )
  await expect(accept(false)).rejects.toThrow('add --secret-lost')
  expect(JSON.stringify(await machine.faults())).toMatch(/was made with key/)

  expect(await accept()).toMatchObject([{ name: SECRET_SETTING }])
  expect(await findSecretFault(w.db.reader, secrets)).toBeUndefined()
  expect(await machine.faults()).toEqual([])
  // A second time, as after a command that was cut off.
  expect(await accept()).toEqual([])

  await machine.as(user).card({ limit: 1 })
  const { faults, newest } = await sealBooks(w.db, w.now(), { keys: checkpointKeys })
  expect([faults, newest?.keyId]).toEqual([[], checkpointKeys[0].id])
  expect(await machine.faults()).toEqual([])
})

test('a command that was cut off before it sealed is gone on with', async () => {
  await using stack = new AsyncDisposableStack()
  const { w, machine, secrets, accept } = await openStage(stack)
  const here = { [SECRET_SETTING]: markOf(secrets.current) }
  await w.write((tx) => replaceSettings(tx, w.now(), here))
  expect(JSON.stringify(await machine.faults())).toMatch(/was made with key/)
  await accept()
  expect(await machine.faults()).toEqual([])
})

test('books that are not as the lost secret sealed them are not sealed by another', async () => {
  await using stack = new AsyncDisposableStack()
  const { w, machine, secrets, accept } = await openStage(stack)
  const seal = sql`insert into seals (seq, subject, digest)
    select max(seq) + 1, 'card card_x', decode(repeat('00', 32), 'hex') from seals`
  await w.write((tx) => seal.execute(tx))
  await expect(accept()).rejects.toThrow(
    'The books are not sealed by the new secret: 1 seals are in no checkpoint',
  )
  expect(await findSecretFault(w.db.reader, secrets)).toBeDefined()
  expect(JSON.stringify(await machine.faults())).toMatch(/was made with key/)
})
