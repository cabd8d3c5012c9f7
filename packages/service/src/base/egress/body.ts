import type { Readable } from 'node:stream'
import { pipeline, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { UNSUPPORTED_ENCODING } from './errors.ts'

/** The encodings that we accept and can decode. */
export const ACCEPT_ENCODING = 'gzip, deflate, br'

/** The decoded body, up to `maxBytes`; `truncated` if there was more. Reads at most `maxBytes` from the wire too. */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  maxBytes: number,
): Promise<{ bytes: Buffer; truncated: boolean }> {
  const decoder = decoderOf(encoding)
  if (!decoder) return collect(body, maxBytes)
  const wire = { truncated: false }
  const decoded = pipeline(upTo(body, maxBytes, wire), decoder, noop)
  const result = await collect(decoded, maxBytes)
  return { bytes: result.bytes, truncated: result.truncated || wire.truncated }
}

async function collect(
  stream: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<{ bytes: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) break
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), truncated: size > maxBytes }
}

async function* upTo(
  stream: AsyncIterable<Buffer>,
  maxBytes: number,
  seen: { truncated: boolean },
): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    seen.truncated = size > maxBytes
    if (seen.truncated) return
    yield chunk
  }
}

/** A body that ends early is decoded as far as it goes. HTTP framing decides whether it was complete. */
function decoderOf(encoding: string | undefined): Transform | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return undefined
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
    case 'deflate':
      return createInflate({ finishFlush: constants.Z_SYNC_FLUSH })
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })
    default:
      throw Object.assign(new Error(`content-encoding ${encoding}`), { code: UNSUPPORTED_ENCODING })
  }
}

/** `pipeline` requires a callback; the reader of the stream gets its errors. */
const noop = (): void => {}
