import { expect, test } from 'vitest'
import { Secret } from '../../../../base/kernel/secrets.ts'
import { signAwsRequest } from './sigv4.ts'

const CREDENTIALS = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: new Secret('wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'),
}
const TOKEN =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=='

// AWS's published test suite, aws-sig-v4-test-suite, whose date, keys and scope are the same throughout.
const SUITE: [
  name: string,
  request: Partial<Parameters<typeof signAwsRequest>[0]>,
  string,
  string,
][] = [
  [
    'get-vanilla',
    { method: 'GET' },
    'host;x-amz-date',
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  ],
  [
    'get-vanilla-query-order-key-case',
    { method: 'GET', url: 'https://example.amazonaws.com/?Param2=value2&Param1=value1' },
    'host;x-amz-date',
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  [
    'get-header-value-trim',
    { method: 'GET', headers: { 'My-Header1': ' value1', 'My-Header2': '"a   b   c"' } },
    'host;my-header1;my-header2;x-amz-date',
    'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
  ],
  [
    'post-vanilla',
    {},
    'host;x-amz-date',
    '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  ],
  [
    'post-header-value-case',
    { headers: { 'My-Header1': 'VALUE1' } },
    'host;my-header1;x-amz-date',
    'cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d',
  ],
  [
    'post-x-www-form-urlencoded',
    {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'Param1=value1',
    },
    'content-type;host;x-amz-date',
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
]

const sign = (request: Partial<Parameters<typeof signAwsRequest>[0]>, credentials = {}) =>
  signAwsRequest(
    { method: 'POST', url: 'https://example.amazonaws.com/', headers: {}, body: '', ...request },
    { region: 'us-east-1', service: 'service' },
    { ...CREDENTIALS, ...credentials },
    new Date('2015-08-30T12:36:00Z'),
  )
const authorization = (headers: string, signature: string) =>
  `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${headers}, Signature=${signature}`

test.each(SUITE)('signs as AWS’s test suite: %s', (_, request, headers, signature) => {
  const signed = sign(request)
  expect(signed).toEqual({
    ...request.headers,
    'x-amz-date': '20150830T123600Z',
    authorization: authorization(headers, signature),
  })
})

test('signs as AWS’s test suite: post-sts-header-before', () => {
  const signed = sign({}, { sessionToken: new Secret(TOKEN) })
  expect(signed['x-amz-security-token']).toBe(TOKEN)
  expect(signed.authorization).toBe(
    authorization(
      'host;x-amz-date;x-amz-security-token',
      '85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
    ),
  )
})
