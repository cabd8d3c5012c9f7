import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import { expect, test } from 'vitest'
import { formatSiweMessage, nonceOfSiweMessage } from '../evm/siwe/message.ts'
import { recoverMessageSigner } from '../evm/siwe/signer.ts'

const fields = {
  domain: 'pay.example.com:8443',
  uri: 'https://pay.example.com:8443',
  address: '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e',
  statement: 'Sign in.',
  chainId: 8453,
  nonce: '0123456789abcdef0123456789abcdef',
  issuedAt: new Date('2026-07-16T10:00:00.000Z'),
  expirationTime: new Date('2026-07-16T10:05:00.000Z'),
} as const

test('the message is the one that viem writes and reads', () => {
  const message = formatSiweMessage(fields)
  expect(message).toBe(createSiweMessage({ ...fields, version: '1' }))
  expect(parseSiweMessage(message)).toEqual({ ...fields, version: '1' })
  expect(nonceOfSiweMessage(message)).toBe(fields.nonce)
})

// viem refuses these as domains, but a service on a private network or in a container has no other name.
test.each(['purser:4020', '[::1]:4020'])('a site may be %s', (domain) => {
  const message = formatSiweMessage({ ...fields, domain })
  expect(message.split('\n')[0]).toBe(`${domain} wants you to sign in with your Ethereum account:`)
  expect(nonceOfSiweMessage(message)).toBe(fields.nonce)
})

test.each(['', 'Nonce: ', 'Nonce: short', `Nonce: ${'a'.repeat(65)}`, 'nonce: 0123456789abcdef'])(
  'no nonce is read from %j',
  (text) => expect(nonceOfSiweMessage(text)).toBeUndefined(),
)

test('the signer is recovered from its signature over exactly this text', async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const signature = await account.signMessage({ message: 'hello é' })
  expect(recoverMessageSigner('hello é', signature)).toBe(account.address)
  expect(recoverMessageSigner('hello e', signature)).not.toBe(account.address)
})

test.each(['0x', `0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`, `0x${'11'.repeat(64)}1f`])(
  'what is no signature has no signer: %s',
  (signature) => expect(recoverMessageSigner('hello', signature)).toBeUndefined(),
)

test('an r that is no point on the curve has no signer', () => {
  const r = '05'.padStart(64, '0')
  const s = '01'.padStart(64, '0')
  expect(recoverMessageSigner('hello', `0x${r}${s}1b`)).toBeUndefined()
})
