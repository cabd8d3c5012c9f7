import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DOCUMENT, renderDocument } from './document.ts'

test('docs/conformance.md says what is tried here; `npm run conformance` writes it', () => {
  expect(readFileSync(DOCUMENT, 'utf8')).toBe(renderDocument())
})
