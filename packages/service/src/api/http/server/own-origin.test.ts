import { expect, test } from 'vitest'
import { Problem } from '../../../base/kernel/problem.ts'
import { checkOwnPage, isKnownHost } from './own-origin.ts'

const site = { publicUrl: 'http://127.0.0.1:4021', hosts: ['pay.lan'] }
const tls = { publicUrl: 'https://pay.example.com' }

// A stranger's name that points here makes his page and this service one origin (DNS rebinding).
test.each([
  ...['127.0.0.1:4021', '192.168.1.9', '[::1]:4021', '[fd00::7]', '2130706433', 'localhost:4021'],
  ...['nas:4021', 'NAS.local', 'a.localhost', 'purser.internal', 'pi.home.arpa', 'pay.lan:80'],
])('a browser may have a session at %s', (host) => {
  expect(isKnownHost(host, site)).toBe(true)
})

test.each([
  ...[
    undefined,
    '',
    'evil.example',
    'evil.example:4021',
    'local.evil.example',
    'nas.local.evil.io',
  ],
  ...['127.0.0.1.evil.example', 'pay.lan.evil.io', 'pay.example.com', 'evil.example#localhost'],
  ...['localhost@evil.example', 'bücher.example', 'a b', ':4021'],
])('and has none at %s', (host) => {
  expect(isKnownHost(host, site)).toBe(false)
})

const codeOf = (headers: { host?: string; origin?: string }, at: typeof tls | typeof site) => {
  try {
    checkOwnPage(headers, at)
    return 'ours'
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    expect(error.message).toContain('PUBLIC_URL')
    return error.code
  }
}

test.each([
  ['http://192.168.1.9:4021', '192.168.1.9:4021', site],
  ['https://nas.local', 'nas.local', site],
  ['https://nas.local', 'nas.local:443', site],
  ['http://pay.lan:4021', 'pay.lan:4021', site],
  ['https://pay.example.com', 'pay.example.com', tls],
  // A proxy that puts a name of its own into Host.
  ['https://pay.example.com', 'upstream.example', tls],
  ['http://192.168.1.9:4021', '192.168.1.9:4021', tls],
] as const)('a page of %s is ours at %s', (origin, host, at) => {
  expect(codeOf({ host, origin }, at)).toBe('ours')
})

test.each([
  ['http://192.168.1.9:3000', '192.168.1.9:4021', site],
  ['http://192.168.1.9', '192.168.1.9:4021', site],
  ['http://localhost:4021', '127.0.0.1:4021', { ...site, publicUrl: 'http://nas:4021' }],
  ['http://evil.example:4021', 'evil.example:4021', site],
  ['https://evil.example', 'pay.example.com', tls],
  ['http://pay.example.com', 'pay.example.com', tls],
  ['http://pay.example.com:4021', 'pay.example.com:4021', tls],
  ['null', '127.0.0.1:4021', site],
  ['', '127.0.0.1:4021', site],
] as const)('a page of %s is not ours at %s', (origin, host, at) => {
  expect(codeOf({ host, origin }, at)).toBe('origin_not_allowed')
})
