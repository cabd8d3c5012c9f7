import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { chunk, png } from '../../../../test/actors/logos.ts'
import { cleanPng } from './png.ts'

const text = (type: string) => chunk(type, Buffer.from('Author\0Jane of 7 Hidden Street'))

test('a picture keeps its pixels and loses all that says who made it, where and when', async () => {
  const extra = ['tEXt', 'iTXt', 'zTXt', 'eXIf', 'tIME', 'iCCP', 'acTL', 'prVt'].map(text)
  const made = await cleanPng(png({ extra }))
  expect(made).toEqual(png())
  const trailing = await cleanPng(Buffer.concat([png(), Buffer.from('<script>alert(1)</script>')]))
  expect(trailing).toEqual(png())
})

test('an interlaced picture is taken', async () => {
  // Eight by eight pixels are 15 lines in seven passes.
  const sizes = [
    [1, 1],
    [1, 1],
    [2, 1],
    [2, 2],
    [4, 2],
    [4, 4],
    [8, 4],
  ] as const
  const unpacked = Buffer.concat(
    sizes.flatMap(([wide, high]) => Array.from({ length: high }, () => Buffer.alloc(1 + wide * 4))),
  )
  expect(await cleanPng(png({ interlace: 1, unpacked }))).toEqual(png({ interlace: 1, unpacked }))
})

test('a picture that is too large, damaged or a bomb is refused', async () => {
  expect(await cleanPng(png({ width: 1_025, height: 1 }))).toContain('1025 by 1')
  expect(await cleanPng(png({ width: 0 }))).toContain('0 by 8')
  const broken = png()
  broken[60] = 0xff ^ (broken[60] ?? 0)
  expect(await cleanPng(broken)).toBe('is damaged')
  expect(await cleanPng(png().subarray(0, 50))).toBe('is cut off')
  // Ten million bytes packed into ten thousand, of a header that names 64 pixels.
  expect(await cleanPng(png({ unpacked: Buffer.alloc(10_000_000) }))).toBe('is damaged')
  expect(await cleanPng(png({ unpacked: Buffer.alloc(10) }))).toBe('is damaged')
  const twice = Buffer.concat([png().subarray(0, 8), chunk('IDAT', deflateSync(Buffer.alloc(1)))])
  expect(await cleanPng(Buffer.concat([twice, png().subarray(8)]))).toContain('header')
})
