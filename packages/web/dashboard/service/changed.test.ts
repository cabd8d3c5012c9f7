import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EVENT_TYPES } from '../../../service/src/api/events/catalogue.ts'
import { CHANGED, changedBy, STEADY } from './changed.ts'

const HERE = `${import.meta.dirname}/..`
const KEYS = /(?:queryKey: \[|usePages(?:<[^(]*>)?\(\s*\[|useInvalidate\(\[)'([a-z -]+)'/g

const sources = globSync('**/*.{ts,tsx}', { cwd: HERE }).map((file) =>
  readFileSync(`${HERE}/${file}`, 'utf8'),
)
const asked = new Set(sources.flatMap((text) => [...text.matchAll(KEYS)].map(([, key]) => key)))

test('each type of event says what it changes', () => {
  for (const type of EVENT_TYPES) expect(changedBy(type), type).toBeDefined()
})

test('each query of a page is asked for anew by some event, or stays as it is', () => {
  expect(asked.size).toBeGreaterThan(30)
  for (const key of asked)
    expect(CHANGED.has(key ?? '') || STEADY.includes(key ?? ''), key).toBe(true)
})
