import { expect, test } from 'vitest'
import { drawingProgress, readVerifyOrder, verificationJson, verificationText } from './verify.ts'

test('verify checks all, unless it is asked to go on from a state', () => {
  expect(readVerifyOrder([])).toMatchObject({ from: 'start' })
  expect(readVerifyOrder(['--anchor', 'a.jsonl', '--incremental', '--parallel', '3'])).toEqual({
    ...{ from: 'state', connections: 3, anchor: 'a.jsonl' },
  })
  for (const args of [
    ['--parallel'],
    ['--parallel', '0'],
    ['--parallel', '17'],
    ['--anchor'],
    ['x'],
  ])
    expect(readVerifyOrder(args), args.join(' ')).toBeUndefined()
})

test('an incremental verification says since when', () => {
  const since = { checkpoint: 7n, at: new Date('2026-03-01T00:00:00Z'), transfers: 2 }
  const verification = { transfers: 9, since, balances: [], faults: [], alarms: [] }
  expect(verificationText(verification)).toContain(
    '2 of 9 transfers, those since checkpoint 7 of 2026-03-01T00:00:00.000Z, each sealed',
  )
  expect(JSON.parse(verificationJson(verification))).toMatchObject({
    since: { checkpoint: 7, at: '2026-03-01T00:00:00.000Z', transfers: 2 },
  })
})

test('progress is drawn on a terminal alone, and removed at the end', async () => {
  const drawn = async (isTTY: boolean) => {
    let text = ''
    const write = (part: string) => {
      text += part
      return true
    }
    const answer = await drawingProgress({ isTTY, write } as never, async (progress) => {
      progress(1, 2)
      return 'done'
    })
    expect(answer).toBe('done')
    return text
  }
  expect(await drawn(true)).toMatch(/^\r█{15}░{15} 50 % of 2 batches\r\S*$/u)
  expect(await drawn(false)).toBe('')
})
