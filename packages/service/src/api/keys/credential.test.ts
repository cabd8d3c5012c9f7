import { expect, test } from 'vitest'
import { sha256 } from '../../base/kernel/secrets.ts'
import { newCredential, readCredential } from './credential.ts'

test('a credential is read as what it was made as, by its SHA-256', () => {
  const { text, hash, hint } = newCredential('live')
  expect(text).toMatch(/^purser_live_[A-Za-z0-9_-]{49}$/)
  expect(hint).toBe(`purser_live_…${text.slice(-4)}`)
  expect(hash).toEqual(sha256(text))
  expect(readCredential(text, 'live')).toEqual({ kind: 'key', hash })
  const session = newCredential('session')
  expect(readCredential(session.text, 'test')).toEqual({ kind: 'session', hash: session.hash })
})

test('no two are alike', () => {
  const texts = Array.from({ length: 1000 }, () => newCredential('test').text)
  expect(new Set(texts).size).toBe(1000)
})

test('a key of the other mode is not read', () => {
  expect(readCredential(newCredential('test').text, 'live')).toBeUndefined()
  expect(readCredential(newCredential('live').text, 'test')).toBeUndefined()
})

test('a key with any one character mistyped is not read', () => {
  const { text } = newCredential('test')
  for (let i = 0; i < text.length; i++) {
    const other = text[i] === 'A' ? 'B' : 'A'
    expect(readCredential(text.slice(0, i) + other + text.slice(i + 1), 'test')).toBeUndefined()
  }
})

test.each(['', 'purser_test_', 'tok_abc', ' '])('%j is not read', (text) => {
  expect(readCredential(text, 'test')).toBeUndefined()
})

test('a key with anything before or after it is not read', () => {
  const { text } = newCredential('test')
  for (const other of [` ${text}`, `${text} `, `${text}\n`, text.slice(0, -1), `${text}A`])
    expect(readCredential(other, 'test')).toBeUndefined()
})
