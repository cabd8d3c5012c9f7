import { createKeccak } from 'hash-wasm'

// Made once, as making it is asynchronous. In JavaScript, without 64-bit integers, a hash takes ten times longer.
const hasher = await createKeccak(256)

/** The Keccak-256 hash of the bytes: 32 bytes. */
export const keccak = (bytes: Uint8Array): Buffer =>
  Buffer.from(hasher.init().update(bytes).digest('binary'))
