import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLog } from './log.ts'

test('secrets do not reach the log, at the top, one below, or as headers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'purser-log-'))
  const file = join(folder, 'purser.log')
  const complaints: string[] = []
  const { log, flush } = createLog({ level: 'info', file, complain: (s) => complaints.push(s) })
  const secrets = {
    authorization: 'Bearer hunter2',
    cookie: 'hunter2',
    card_token: 'hunter2',
    api_key: 'hunter2',
    private_key: 'hunter2',
    signature: 'hunter2',
    'payment-signature': 'hunter2',
    'x-payment': 'hunter2',
  }
  log.info({ ...secrets, path: '/api/pay' }, 'top')
  log.info({ request: secrets }, 'below')
  log.info({ req: { headers: secrets } }, 'headers')
  log.debug('too fine')
  await flush()
  const text = await readFile(file, 'utf8')
  expect(text).not.toContain('hunter2')
  expect(text).not.toContain('too fine')
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg),
  ).toEqual(['top', 'below', 'headers'])
  expect(JSON.parse(text.split('\n')[0] ?? '').path).toBe('/api/pay')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(complaints).toEqual([])
  await rm(folder, { recursive: true })
})

test('a full disk is a complaint, and neither a fatal line nor the flush waits for space', async () => {
  if (process.platform !== 'linux') return
  const complaints: string[] = []
  const complain = (sentence: string) => void complaints.push(sentence)
  const { log, flush } = createLog({ level: 'info', file: '/dev/full', complain })
  log.fatal('the disk is full')
  await flush()
  log.fatal('still')
  await flush()
  expect(complaints).toEqual([expect.stringContaining('ENOSPC')])
})
