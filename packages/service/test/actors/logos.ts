import { crc32, deflateSync } from 'node:zlib'

/** A chunk of a PNG. */
export function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** A PNG of one color; `extra` stands before its pixels. */
export function png(
  of: {
    width?: number
    height?: number
    unpacked?: Buffer
    extra?: Buffer[]
    interlace?: 0 | 1
  } = {},
): Buffer {
  const { width = 8, height = 8, extra = [], interlace = 0 } = of
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 6, 0, 0, interlace], 8)
  const line = Buffer.concat([
    Buffer.from([0]),
    ...Array.from({ length: width }, () => Buffer.from([0xb0, 0x20, 0x60, 0xff])),
  ])
  const pixels = of.unpacked ?? Buffer.concat(Array.from({ length: height }, () => line))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    ...extra,
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A logo as a drawing program writes it. */
export const SVG_LOGO = `<?xml version="1.0" encoding="UTF-8"?>
<!-- Made with a program -->
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="120" height="40" viewBox="0 0 120 40">
<title>Tea &amp; Co</title>
<defs><linearGradient id="a"><stop offset="0" style="stop-color:#b02060;stop-opacity:1"/><stop offset="1" stop-color="#602080"/></linearGradient><linearGradient id="b" xlink:href="#a" x1="0" x2="120" gradientUnits="userSpaceOnUse"/></defs>
<g class="x" data-name="Layer 1"><path d="M4 4h112v32H4z" fill="url(#b)"/><circle cx="20" cy="20" r="9" style="fill:#ffffff"/></g>
</svg>`

export const base64 = (file: string | Buffer): string => Buffer.from(file).toString('base64')
