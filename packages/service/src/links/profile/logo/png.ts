import { promisify } from 'node:util'
import { crc32, inflate } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** The longest side, in pixels. An image of this size unpacks to 8 MB at most. */
const LONGEST = 1024
/** Chunks that a picture needs. All others say who made it, where, and with what, or move it. */
const KEPT = ['IHDR', 'PLTE', 'tRNS', 'sRGB', 'IDAT', 'IEND']
/** The samples of a pixel, and how many bits each may have, by the color type. */
const FORMATS: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
}
/** The first pixel and the steps of each pass of an interlaced image. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

export const isPng = (bytes: Buffer): boolean => bytes.subarray(0, 8).equals(SIGNATURE)

type Chunk = { type: string; data: Buffer }

/**
 * The picture alone: the chunks that are needed to draw it, written anew, after it was unpacked once. Returns what is wrong as a
 * text.
 */
export async function cleanPng(bytes: Buffer): Promise<Buffer | string> {
  const chunks = readChunks(bytes)
  if (typeof chunks === 'string') return chunks
  const kept = chunks.filter(({ type }) => KEPT.includes(type))
  const [head, ...others] = kept
  if (
    head?.type !== 'IHDR' ||
    head.data.length !== 13 ||
    others.some(({ type }) => type === 'IHDR')
  )
    return 'does not begin with a header'
  const size = unpackedSize(head.data)
  if (typeof size === 'string') return size
  const only = (type: string) => others.filter((chunk) => chunk.type === type)
  if (head.data[9] === 3 && only('PLTE').length !== 1) return 'has no palette'
  if (only('PLTE').length > 1 || only('tRNS').length > 1) return 'has a chunk twice'
  const data = Buffer.concat(only('IDAT').map((chunk) => chunk.data))
  if (!(await unpacksTo(data, size))) return 'is damaged'
  const before = [head, ...only('sRGB').slice(0, 1), ...only('PLTE'), ...only('tRNS')]
  const whole = [...before, { type: 'IDAT', data }, { type: 'IEND', data: Buffer.alloc(0) }]
  return Buffer.concat([SIGNATURE, ...whole.map(writeChunk)])
}

function readChunks(bytes: Buffer): Chunk[] | string {
  const chunks: Chunk[] = []
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const end = at + 12 + length
    if (end > bytes.length) break
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return 'is damaged'
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4) })
    if (type === 'IEND') return chunks
    at = end
  }
  return 'is cut off'
}

/** How many bytes the pixels are, with the byte before each line that names its filter. */
function unpackedSize(head: Buffer): number | string {
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)]
  const [depth = 0, color = 0, compression, filter, interlace = 0] = head.subarray(8)
  if (width < 1 || height < 1 || width > LONGEST || height > LONGEST)
    return `is ${width} by ${height} pixels; a side may have 1 to ${LONGEST}`
  const format = FORMATS[color]
  if (!format?.depths.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1)
    return 'is of a form that PNG does not have'
  const bits = format.samples * depth
  const sizeOf = (wide: number, high: number): number =>
    wide === 0 ? 0 : high * (1 + Math.ceil((wide * bits) / 8))
  if (interlace === 0) return sizeOf(width, height)
  return PASSES.reduce((sum, [x, y, dx, dy]) => {
    const wide = Math.max(0, Math.ceil((width - x) / dx))
    return sum + sizeOf(wide, Math.max(0, Math.ceil((height - y) / dy)))
  }, 0)
}

const unpack = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate)

/** Whether the data is exactly so many bytes once unpacked. A longer one is given up at once. */
async function unpacksTo(data: Buffer, size: number): Promise<boolean> {
  try {
    return (await unpack(data, { maxOutputLength: size })).length === size
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (/^Z_|^ERR_BUFFER_TOO_LARGE$/.test(code)) return false
    throw error
  }
}

function writeChunk({ type, data }: Chunk): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
