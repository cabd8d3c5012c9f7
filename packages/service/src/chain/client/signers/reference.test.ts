import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseKeyReference } from './reference.ts'

const ID = '1234abcd-12ab-34cd-56ef-1234567890ab'
const ARN = `arn:aws:kms:eu-west-1:111122223333:key/${ID}`
const VERSION =
  'projects/my-shop/locations/europe-west3/keyRings/purser/cryptoKeys/treasury/cryptoKeyVersions/1'

const aws = (keyId: string, region = 'eu-west-1') => ({ kind: 'aws-kms', keyId, region })

test.each([
  ['file:/etc/purser/key', { kind: 'file', path: '/etc/purser/key' }],
  ['file:keys/treasury', { kind: 'file', path: resolve('keys/treasury') }],
  ['keystore:/etc/purser/key.json', { kind: 'keystore', path: '/etc/purser/key.json' }],
  [`aws-kms:${ID}?region=eu-west-1`, aws(ID)],
  ['aws-kms:alias/treasury?region=us-gov-west-1', aws('alias/treasury', 'us-gov-west-1')],
  [`aws-kms:mrk-${'0f'.repeat(16)}?region=eu-west-1`, aws(`mrk-${'0f'.repeat(16)}`)],
  [`aws-kms:${ARN}`, aws(ARN)],
  [`aws-kms:${ARN}?region=eu-west-1`, aws(ARN)],
  [
    'aws-kms:arn:aws-cn:kms:cn-north-1:111122223333:alias/treasury',
    aws('arn:aws-cn:kms:cn-north-1:111122223333:alias/treasury', 'cn-north-1'),
  ],
  [
    'aws-kms:alias/a?region=eu-west-1&endpoint=http://localhost:4566/',
    { ...aws('alias/a'), endpoint: 'http://localhost:4566' },
  ],
  [`gcp-kms:${VERSION}`, { kind: 'gcp-kms', keyVersion: VERSION }],
  [
    `gcp-kms:${VERSION}?endpoint=https://kms.example.com`,
    { kind: 'gcp-kms', keyVersion: VERSION, endpoint: 'https://kms.example.com' },
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
  'aws-kms:alias/treasury',
  'aws-kms:alias/treasury?region=Frankfurt',
  'aws-kms:alias/treasury?region=evil.example.com/',
  'aws-kms:../treasury?region=eu-west-1',
  `aws-kms:${ARN}?region=us-east-1`,
  `aws-kms:${ID}?region=eu-west-1&profile=me`,
  `aws-kms:${ID}?region=eu-west-1&endpoint=http://kms.example.com`,
  `aws-kms:${ID}?region=eu-west-1&endpoint=https://kms.example.com/path`,
  `aws-kms:${ID}?region=eu-west-1&endpoint=https://user@kms.example.com`,
  'gcp-kms:',
  'gcp-kms:treasury',
  `gcp-kms:${VERSION.slice(0, -2)}`,
  `gcp-kms:${VERSION}/../2`,
  `gcp-kms:${VERSION}?region=eu-west-1`,
])('refuses %s, in words that do not quote it', (text) => {
  const found = parseKeyReference(text)
  expect(found.kind).toBe('fault')
  const sentence = found.kind === 'fault' ? found.fault : ''
  expect(sentence).toMatch(/^(must|may) .+\.$/)
  if (text.length > 12) expect(sentence).not.toContain(text)
})
