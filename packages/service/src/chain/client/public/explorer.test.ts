import { expect, test } from 'vitest'
import { explorerBaseOf } from './explorer.ts'

const site = {
  network: 'eip155:84532',
  publicUrl: 'https://pay.example',
  explorerUrl: null,
  embeddedRpcUrl: null,
} as const

test('an explorer is the configured one, our own pages of the embedded chain, or none', () => {
  expect(explorerBaseOf('eip155:84532', site)).toBe('')
  const embedded = { ...site, embeddedRpcUrl: 'http://127.0.0.1:8545' }
  expect(explorerBaseOf('eip155:84532', embedded)).toBe('https://pay.example/explorer')
  const configured = { ...site, explorerUrl: 'https://sepolia.basescan.org' }
  expect(explorerBaseOf('eip155:84532', configured)).toBe('https://sepolia.basescan.org')
})

test('another network never gets the explorer of this one', () => {
  const embedded = { ...site, embeddedRpcUrl: 'http://127.0.0.1:8545' }
  expect(explorerBaseOf('eip155:8453', embedded)).toBe('https://basescan.org')
  expect(explorerBaseOf('eip155:1', embedded)).toBe('')
})
