import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { place, start, stopPrograms } from '../../../../test/actors/program.ts'
import { freshDatabase } from '../../../../test/world/postgres.ts'
import { withoutPassword } from '../../../base/db/pool/hosts.ts'
import { randomHex } from '../../../base/kernel/secrets.ts'

afterEach(stopPrograms)

/** The files below the folder, without those that vanish meanwhile. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
}

/** The names of the secrets that a file holds, by file. */
async function findSecrets(folders: string[], secrets: Record<string, string>): Promise<string[]> {
  const files = (await Promise.all(folders.map(filesIn))).flat()
  expect(files.length).toBeGreaterThan(2)
  const found: string[] = []
  for (const file of files) {
    const content = await readFile(file).catch(() => Buffer.alloc(0))
    for (const [name, secret] of Object.entries(secrets))
      if (content.includes(secret)) found.push(`${name} in ${file}`)
  }
  return found
}

// A backup of the data folder, or another reader of it, must not reveal secrets that the operator keeps elsewhere.
test.each(['embedded', 'given'])(
  'no file that the service writes holds a configured secret (database: %s)',
  async (kind) => {
    const database = await freshDatabase()
    const temporary = await mkdtemp(join(tmpdir(), 'purser-secrets-'))
    await mkdir(join(temporary, 'tmp'))
    const secrets = {
      PURSER_OPERATOR_KEY: randomHex(32),
      PURSER_RELAYER_KEYS: randomHex(32),
      PURSER_SECRET: randomHex(32).slice(2),
      PURSER_MPP_SECRETS: randomHex(32).slice(2),
      PURSER_KEYSTORE_PASSPHRASE: randomHex(16),
      CLOUD_CREDENTIALS: randomHex(16),
    }
    const wanted = {
      ...Object.fromEntries(
        Object.entries(secrets).map(([name, value]) => [name, value.replace(/^0x/, '')]),
      ),
      'password of DATABASE_URL': new URL(database.url).password,
    }
    expect(wanted['password of DATABASE_URL']).toMatch(/.{20}/)
    const env = {
      ...(await place()),
      ...secrets,
      ...(kind === 'given' ? { DATABASE_URL: database.url } : {}),
      PURSER_PROCESSES: '2',
      TMPDIR: join(temporary, 'tmp'),
      HOME: temporary,
    }
    const folders = [env.PURSER_DATA_DIR, temporary]
    try {
      const { program, dev } = await start(env)
      expect((await fetch(`${dev.base_url}/api/status`)).status).toBe(200)
      expect(await findSecrets(folders, wanted)).toEqual([])
      const lock = JSON.parse(await readFile(join(env.PURSER_DATA_DIR, 'service.lock'), 'utf8'))
      expect(lock).toEqual({ pid: program.child.pid, program: 'main.ts', port: Number(env.PORT) })
      // Processes that the service starts get no secret either.
      const chain = await readFile(join(env.PURSER_DATA_DIR, 'chain', 'state.json.pid'), 'utf8')
      const environment = await readFile(`/proc/${Number.parseInt(chain, 10)}/environ`, 'utf8')
      for (const secret of Object.values(wanted)) expect(environment).not.toContain(secret)
      await program.stop('SIGTERM')
      expect(await findSecrets(folders, wanted)).toEqual([])
    } finally {
      await stopPrograms()
      await database.drop()
      await rm(temporary, { recursive: true, force: true })
    }
  },
)

test('a database address is written down without its password', () => {
  for (const url of [
    'postgres://u:p-secret@host:5432/purser',
    'postgres://u@host:5432/purser?password=p-secret&sslmode=require',
  ])
    expect(withoutPassword(url)).toMatch(/^postgres:\/\/u@host:5432\/purser(\?sslmode=require)?$/)
})
