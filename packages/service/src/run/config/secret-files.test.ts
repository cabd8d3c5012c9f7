import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { place, run, stopPrograms } from '../../../test/actors/program.ts'
import { testChain } from '../../../test/world/chain.ts'
import { freshDatabase } from '../../../test/world/postgres.ts'
import { randomHex } from '../../base/kernel/secrets.ts'
import { ConfigError } from './config.ts'
import { withSecretFiles } from './secret-files.ts'
import { SECRET_VARIABLES } from './values.ts'

afterEach(stopPrograms)

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'purser-secret-files-'))
  return {
    path,
    /** The path of a new file with this text. */
    async file(name: string, text: string, mode = 0o600): Promise<string> {
      const at = join(path, name)
      await writeFile(at, text)
      await chmod(at, mode)
      return at
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}

const faultsOf = (env: Record<string, string>): Promise<readonly string[]> =>
  withSecretFiles(env).then(
    () => [],
    (error) => {
      if (error instanceof ConfigError) return error.faults
      throw error
    },
  )

test('every secret may be a file, whose last line break is no part of it', async () => {
  await using on = await folder()
  const named: Record<string, string> = {}
  for (const name of SECRET_VARIABLES) named[`${name}_FILE`] = await on.file(name, `it ${name}\n`)
  const read = await withSecretFiles({ ...named, PORT: '1' })
  expect(read).toEqual({
    PORT: '1',
    ...Object.fromEntries(SECRET_VARIABLES.map((name) => [name, `it ${name}`])),
  })
})

test('two places for one secret, a file that others may read, an empty one and none are faults, all reported at once', async () => {
  await using on = await folder()
  const faults = await faultsOf({
    PURSER_SECRET: 'here',
    PURSER_SECRET_FILE: await on.file('both', 'there'),
    DATABASE_URL_FILE: await on.file('open', 'postgres://', 0o640),
    PURSER_MPP_SECRETS_FILE: await on.file('empty', '\n'),
    PURSER_METRICS_TOKEN_FILE: join(on.path, 'missing'),
  })
  expect(faults).toEqual([
    expect.stringMatching(/^DATABASE_URL_FILE: Others may read .*chmod 600/),
    'PURSER_SECRET and PURSER_SECRET_FILE are both set: leave one of them out.',
    expect.stringMatching(/^PURSER_MPP_SECRETS_FILE: .* is empty/),
    expect.stringMatching(/^PURSER_METRICS_TOKEN_FILE: .* does not exist/),
  ])
})

test('a service whose secrets are all files runs, in each of its processes, and no environment holds one', async () => {
  await using on = await folder()
  const database = await freshDatabase()
  const secrets: Record<string, string> = {
    DATABASE_URL: database.url,
    PURSER_RPC_URL: testChain().rpcUrl,
    PURSER_OPERATOR_KEY: randomHex(32),
    PURSER_RELAYER_KEYS: randomHex(32),
    PURSER_SECRET: randomHex(32).slice(2),
    PURSER_METRICS_TOKEN: randomHex(32),
  }
  const env: Record<string, string> = { ...(await place()), PURSER_PROCESSES: '2' }
  for (const [name, text] of Object.entries(secrets))
    env[`${name}_FILE`] = await on.file(name, `${text}\n`)
  try {
    const service = run([], env)
    await service.says('"msg":"ready"')
    const at = `http://127.0.0.1:${env.PORT}`
    const metrics = await fetch(`${at}/metrics`, {
      headers: { authorization: `Bearer ${secrets.PURSER_METRICS_TOKEN}` },
    })
    expect(metrics.status).toBe(200)
    expect((await fetch(`${at}/metrics`)).status).toBe(401)
    const asked = run(['payouts', '--json'], env)
    expect([await asked.exited, asked.complaint]).toEqual([0, ''])
    const parent = service.child.pid
    const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(parent)])
    const pids = [parent, ...stdout.trim().split(/\s+/)]
    expect(pids.length).toBeGreaterThan(2)
    for (const pid of pids) {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8')
      for (const text of Object.values(secrets)) expect(environment).not.toContain(text)
    }
  } finally {
    await stopPrograms()
    await database.drop()
  }
})
