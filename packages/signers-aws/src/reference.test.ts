import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openKey } from './key.ts'

const ID = '1234abcd-12ab-34cd-56ef-1234567890ab'
const ARN = `arn:aws:kms:eu-west-1:111122223333:key/${ID}`

/** Nothing listens there: a reference that is right gets as far as asking. */
const endpoint = 'http://127.0.0.1:9'
beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'a secret')
})
afterAll(() => {
  vi.unstubAllEnvs()
})

const outcome = (key: string, region?: string) =>
  openKey({ key, region, endpoint }).then(String, (error: Error) => error.message)

test.concurrent.each([
  [ID, 'eu-west-1', 'eu-west-1'],
  ['alias/treasury', 'us-gov-west-1', 'us-gov-west-1'],
  [`mrk-${'0f'.repeat(16)}`, 'eu-west-1', 'eu-west-1'],
  [ARN, undefined, 'eu-west-1'],
  [ARN, 'eu-west-1', 'eu-west-1'],
  ['arn:aws-cn:kms:cn-north-1:111122223333:alias/treasury', undefined, 'cn-north-1'],
])('asks for %s in %s', async (key, region, asked) => {
  expect(await outcome(key, region)).toMatch(
    new RegExp(`AWS KMS refused GetPublicKey with the key .* in ${asked}: .*ECONNREFUSED`),
  )
})

test.each([
  ['alias/treasury', undefined, 'region'],
  ['alias/treasury', 'Frankfurt', 'region'],
  ['alias/treasury', 'evil.example.com/', 'region'],
  [ARN, 'us-east-1', 'region'],
  ['', 'eu-west-1', 'Name'],
  ['../treasury', 'eu-west-1', 'Name'],
  ['a-mistyped-secret', 'eu-west-1', 'Name'],
])('refuses %s in %s, in words that do not quote it', async (key, region, word) => {
  const sentence = await outcome(key, region)
  expect(sentence).toMatch(new RegExp(`^(Name|Say) .*${word === 'Name' ? '' : word}`))
  if (word === 'Name' && key) expect(sentence).not.toContain(key)
})
