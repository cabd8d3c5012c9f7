import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseKeyReference } from './reference.ts'

const aws = { kind: 'kept', scheme: 'aws-kms' }
const VERSION =
  'projects/my-shop/locations/europe-west3/keyRings/purser/cryptoKeys/treasury/cryptoKeyVersions/1'
const gcp = { kind: 'kept', scheme: 'gcp-kms', key: VERSION }

test.each([
  ['file:/etc/purser/key', { kind: 'file', path: '/etc/purser/key' }],
  ['file:keys/treasury', { kind: 'file', path: resolve('keys/treasury') }],
  ['keystore:/etc/purser/key.json', { kind: 'keystore', path: '/etc/purser/key.json' }],
  ['aws-kms:alias/a?region=eu-west-1', { ...aws, key: 'alias/a', region: 'eu-west-1' }],
  ['aws-kms:alias/a', { ...aws, key: 'alias/a' }],
  [
    'aws-kms:alias/a?region=eu-west-1&endpoint=http://localhost:4566/',
    { ...aws, key: 'alias/a', region: 'eu-west-1', endpoint: 'http://localhost:4566' },
  ],
  [`gcp-kms:${VERSION}`, gcp],
  [
    `gcp-kms:${VERSION}?endpoint=https://kms.example.com`,
    { ...gcp, endpoint: 'https://kms.example.com' },
  ],
])('%s', (text, reference) => {
  expect(parseKeyReference(text)).toEqual(reference)
})

test('a key as it is, which then prints as [secret]', () => {
  const text = `0x${'0b'.repeat(32)}`
  const found = parseKeyReference(text)
  expect(found.kind === 'hex' && found.key.reveal()).toBe(text)
  expect(JSON.stringify(found)).not.toContain('0b0b')
})

test.each([
  '',
  'treasury',
  '0x1234',
  `0x${'00'.repeat(32)}`,
  `0x${'ff'.repeat(32)}`,
  '0b'.repeat(32),
  'file:',
  'keystore:',
  'azure:key',
  'aws-kms:',
  'aws-kms:alias/a?region=eu-west-1&profile=me',
  'aws-kms:alias/a?region=eu-west-1&endpoint=http://kms.example.com',
  'aws-kms:alias/a?region=eu-west-1&endpoint=https://kms.example.com/path',
  'aws-kms:alias/a?region=eu-west-1&endpoint=https://user@kms.example.com',
  'gcp-kms:',
  `gcp-kms:${VERSION}?endpoint=http://kms.example.com`,
  'toString:a',
])('refuses %s, in words that do not quote it', (text) => {
  const found = parseKeyReference(text)
  expect(found.kind).toBe('fault')
  const sentence = found.kind === 'fault' ? found.fault : ''
  expect(sentence).toMatch(/^(must|may) .+\.$/)
  if (text.length > 12) expect(sentence).not.toContain(text)
})
