import { expect, test, vi } from 'vitest'
import { increaseTime } from '../../src/run/embedded/dev/chain.ts'
import { ownRpcUrl, refreshChain } from './own-chain.ts'

test('a file gets the chain of the one before, but none whose clock was moved', async () => {
  await refreshChain()
  const before = ownRpcUrl()
  await refreshChain()
  expect(ownRpcUrl()).toBe(before)
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  await increaseTime({ rpcUrl: before, seconds: 60 })
  await refreshChain()
  expect(warn).toHaveBeenCalledOnce()
  warn.mockRestore()
  expect(ownRpcUrl()).not.toBe(before)
})
