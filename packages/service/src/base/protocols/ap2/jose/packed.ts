/** The first byte says which of two forms follows. */
const AS_TEXT = 0
const IN_PARTS = 1
/** Two bytes before each part: its length, and whether `~` ends it instead of `.`. */
const HEAD_BYTES = 2
const TILDE = 0x8000

/** A compact JWS or SD-JWT as bytes, a quarter less: each part as what its base64url says. `unpackToken` gives back the same text. */
export function packToken(token: string): Buffer {
  const bytes = [Buffer.of(IN_PARTS)]
  for (const [, part = '', end] of token.matchAll(/([^.~]*)([.~]|$)/g)) {
    const value = Buffer.from(part, 'base64url')
    // Text that is no base64url, or not as an encoder writes it, stays text: a signature may be over it.
    if (value.length >= TILDE || value.toString('base64url') !== part)
      return Buffer.concat([Buffer.of(AS_TEXT), Buffer.from(token)])
    const head = Buffer.alloc(HEAD_BYTES)
    head.writeUInt16BE(value.length + (end === '~' ? TILDE : 0))
    bytes.push(head, value)
    if (end === '') break
  }
  return Buffer.concat(bytes)
}

export function unpackToken(packed: Buffer): string {
  if (packed[0] === AS_TEXT) return packed.toString('utf8', 1)
  let token = ''
  for (let at = 1; at < packed.length; ) {
    const head = packed.readUInt16BE(at)
    const from = at + HEAD_BYTES
    at = from + (head % TILDE)
    token += packed.toString('base64url', from, at)
    if (at < packed.length) token += head >= TILDE ? '~' : '.'
  }
  return token
}
