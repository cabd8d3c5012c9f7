import type { Readable, Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
} from 'node:zlib'

/** The encodings that we accept and can decode. */
export const ACCEPT_ENCODING = 'gzip, deflate, br'
/** Encodings over one another. No server has a use for more than one. */
const LAYERS_MAX = 3

/** `truncated` if the body went on beyond what was read. */
type Body = { bytes: Buffer; truncated: boolean }
type Decoder = (bytes: Buffer) => Transform

/**
 * The body, up to `maxBytes` on the wire and decoded. A body that is not what its encoding says may have been paid for,
 * so it is given as it came, with `isEncoded` set.
 */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Body & { isEncoded: boolean }> {
  const wire = await collect(body, maxBytes)
  const decoders = decodersOf(encoding)
  const decoded = decoders && (await decode(wire.bytes, decoders, maxBytes))
  if (!decoded) return { ...wire, isEncoded: true }
  return { ...decoded, truncated: wire.truncated || decoded.truncated, isEncoded: false }
}

async function collect(stream: AsyncIterable<Buffer>, maxBytes: number): Promise<Body> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) break
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), truncated: size > maxBytes }
}

/** Each layer is as large as `maxBytes` at most, so that a small body costs no more. `undefined` for other bytes. */
async function decode(
  bytes: Buffer,
  decoders: Decoder[],
  maxBytes: number,
): Promise<Body | undefined> {
  let body: Body = { bytes, truncated: false }
  try {
    for (const decoder of decoders) {
      const stream = decoder(body.bytes)
      stream.end(body.bytes)
      const { bytes, truncated } = await collect(stream, maxBytes)
      body = { bytes, truncated: truncated || body.truncated }
    }
    return body
  } catch (error) {
    if (isFaultOfBytes(error)) return undefined
    throw error
  }
}

/** The codes of zlib and of brotli. */
const isFaultOfBytes = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(Z_|ERR__ERROR)/.test(String(error.code))

/** Decoders in the order of their use; `undefined` if one of the encodings is unknown. */
function decodersOf(encoding: string | undefined): Decoder[] | undefined {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
    .reverse()
  const decoders = names.flatMap((name) => DECODERS.get(name) ?? [])
  return decoders.length === names.length && names.length <= LAYERS_MAX ? decoders : undefined
}

/** A body that ends early is decoded as far as it goes. HTTP framing decides whether it was complete. */
const ZLIB = { finishFlush: constants.Z_SYNC_FLUSH }
const gunzip = () => createGunzip(ZLIB)
const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', (bytes) => (hasZlibHead(bytes) ? createInflate(ZLIB) : createInflateRaw(ZLIB))],
  ['br', () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
])

/** Some servers leave zlib's wrapper out (RFC 9110, 8.4.1.2). Its two bytes are a multiple of 31 (RFC 1950, 2.2). */
const hasZlibHead = (bytes: Buffer): boolean =>
  bytes.length < 2 || (((bytes[0] as number) & 15) === 8 && bytes.readUInt16BE() % 31 === 0)
