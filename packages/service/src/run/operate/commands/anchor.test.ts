import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { world } from '../../../../test/world.ts'
import { sql } from '../../../base/db/sql.ts'
import { sendAndWait } from '../../../chain/relay/send.ts'
import { anchorBooks, anchorRef, checkAnchor } from './anchor.ts'

async function stage() {
  const w = await world()
  const dir = await mkdtemp(join(tmpdir(), 'purser-anchor-'))
  const file = join(dir, 'anchors.jsonl')
  const user = await w.user({ treasury: 20 })
  const { services } = w
  const issue = () => user.post('/api/issue', { purpose: 'test', limit_amount: 1 })
  return {
    w,
    file,
    issue,
    anchor: (to: { file?: string; url?: string; chain?: boolean }) =>
      anchorBooks(services, w.now(), { to: { chain: false, ...to }, egress: services.egress }),
    faults: async (where = file) => {
      const found = await checkAnchor(services, { where, read: (path) => readFile(path, 'utf8') })
      return found.map(({ fault }) => fault).join('\n')
    },
    /** Restores the whole database to a checkpoint: later rows are gone. */
    setBack: () =>
      w.db.write(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx)
        await sql`delete from ledger_checkpoints where seq > 1`.execute(tx)
        await sql`delete from seals where seq > (select max(seals) from ledger_checkpoints)`.execute(
          tx,
        )
      }),
    async [Symbol.asyncDispose]() {
      await rm(dir, { recursive: true })
      await w[Symbol.asyncDispose]()
    },
  }
}

test('anchors are appended to a file, and a database that was set back does not have them', async () => {
  await using s = await stage()
  await s.anchor({ file: s.file })
  await s.issue()
  await s.anchor({ file: s.file })
  expect((await readFile(s.file, 'utf8')).trim().split('\n')).toHaveLength(2)
  expect((await stat(s.file)).mode & 0o777).toBe(0o600)
  expect(await s.faults()).toBe('')

  await s.setBack()
  expect(await s.faults()).toMatch(
    /line 2 anchors checkpoint 2 of .*, which this database does not have: the database was set back or replaced/,
  )
  // Later posts and seals do not hide the difference.
  await s.issue()
  await s.anchor({ file: s.file })
  expect(await s.faults()).toMatch(/line 2 anchors checkpoint 2/)
})

test('an anchor that was altered, and a file that holds none, are named', async () => {
  await using s = await stage()
  await s.anchor({ file: s.file })
  const line = await readFile(s.file, 'utf8')
  await writeFile(s.file, `${line.replace('"checkpoint":"1"', '"checkpoint":"2"')}{}\n`)
  expect(await s.faults()).toMatch(
    /line 1 was altered: its MAC does not fit\n.*line 2 is not an anchor/,
  )
  await writeFile(s.file, '\n')
  expect(await s.faults()).toMatch(/the file holds no anchor/)
})

test('an anchor is posted to a URL, and one that does not take it is named', async () => {
  await using s = await stage()
  const taken: string[] = []
  const server = createServer((request, response) => {
    request.on('data', (chunk) => taken.push(String(chunk)))
    request.on('end', () => response.writeHead(request.url === '/full' ? 507 : 204).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await s.anchor({ url: `http://127.0.0.1:${port}/anchors` })
  expect(JSON.parse(taken.join(''))).toMatchObject({ purser: 'anchor', checkpoint: '1' })
  await expect(s.anchor({ url: `http://127.0.0.1:${port}/full` })).rejects.toThrow(
    /answered 507: the anchor was not taken/,
  )
  server.close()
})

test('an anchor on the chain is 32 bytes that a relayer carries once, and the books are held against it', async () => {
  await using s = await stage()
  const { w } = s
  await w.withGas()
  const first = await s.anchor({ chain: true })
  await s.anchor({ chain: true })
  await s.issue()
  const second = await s.anchor({ chain: true })
  const sent = async (checkpoint: typeof first) => {
    const send = await sendAndWait(w.services.relay, anchorRef(checkpoint), 120_000)
    expect(send?.succeeded).toBe(true)
    return send?.hash as `0x${string}`
  }
  const [before, after] = [await sent(first), await sent(second)]
  expect(await w.chain.rpc.getTransaction({ hash: after })).toMatchObject({
    input: `0x${second.mac.toString('hex')}`,
    value: 0n,
  })
  expect(await s.faults(after)).toBe('')
  await s.setBack()
  expect(await s.faults(before)).toBe('')
  expect(await s.faults(after)).toMatch(/anchors a checkpoint that this database does not have/)
})
