import { afterEach, expect, test, vi } from 'vitest'
import { utf8 } from '../ap2/encode.ts'
import { randomUuid } from './uuid.ts'
import { engine } from './web-crypto.ts'

afterEach(() => vi.unstubAllGlobals())

const WEB = globalThis.crypto
/** As a page over plain HTTP has it. */
const withoutSubtle = () =>
  vi.stubGlobal('crypto', { getRandomValues: WEB.getRandomValues.bind(WEB) })

test('Web Crypto and the library hash alike, and each verifies what the other signed', async () => {
  const web = await engine()
  withoutSubtle()
  const library = await engine()
  expect(library).not.toBe(web)
  vi.unstubAllGlobals()
  for (const algorithm of ['SHA-256', 'SHA-384', 'SHA-512'] as const)
    expect(await library.digest(algorithm, utf8('abc'))).toEqual(
      await web.digest(algorithm, utf8('abc')),
    )
  // Half of all signatures have the high s, which the library would refuse and never make by default.
  for (let round = 0; round < 8; round++)
    for (const [maker, reader] of [
      [web, library],
      [library, web],
    ] as const) {
      const { d, ...jwk } = await maker.generate()
      const signature = await (await maker.signer({ ...jwk, d }))(utf8('pay'))
      const isBy = await reader.verifier(jwk)
      expect(await isBy(utf8('pay'), signature)).toBe(true)
      expect(await isBy(utf8('paid'), signature)).toBe(false)
      expect(await isBy(utf8('pay'), signature.slice(1))).toBe(false)
    }
})

test('neither takes a key that is none', async () => {
  const web = await engine()
  withoutSubtle()
  const library = await engine()
  vi.unstubAllGlobals()
  const [one, other] = [await web.generate(), await web.generate()]
  for (const each of [web, library]) {
    await expect(each.signer({ ...one, d: other.d })).rejects.toThrow()
    await expect(each.verifier({ ...one, y: other.y })).rejects.toThrow()
    await expect(each.verifier({ ...one, x: 'AA' })).rejects.toThrow()
  }
})

test('a UUID is one of version 4, and another each time', () => {
  withoutSubtle()
  const made = Array.from({ length: 50 }, randomUuid)
  for (const one of made)
    expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(made).size).toBe(50)
})
