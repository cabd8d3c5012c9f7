import { readFile } from 'node:fs/promises'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'

const text = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')

test('the document is valid by the schema of OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse(text))
  expect(errors ?? []).toEqual([])
  expect(valid).toBe(true)
})

test('the document is valid by the rules of Redocly: nothing in it is unresolved, unused or ambiguous', async () => {
  const config = await createConfig({ extends: ['recommended-strict'], rules: LEFT_OUT })
  const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
  expect(
    problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
  ).toEqual([])
})

/** Refusals that operations have in common are their default answer; a tag is named for what it holds. */
const LEFT_OUT = { 'operation-4xx-response': 'off', 'tag-description': 'off' } as const
