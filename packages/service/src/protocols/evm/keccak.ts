/**
 * Keccak-256 as a WebAssembly module of one function, assembled here. A payment takes seven hashes and its transaction a
 * hundred permutations: in JavaScript, which lacks 64-bit integers, each takes ten times longer.
 */

const RATE = 136
const LANES = 25
const ROUNDS = 24
/** The module's memory: the state, then the constants of the rounds. */
const CONSTANTS_AT = LANES * 8

/** The Keccak-256 hash of the bytes: 32 bytes. */
export function keccak(bytes: Uint8Array): Buffer {
  state.fill(0)
  let at = 0
  for (; bytes.length - at >= RATE; at += RATE) absorb(bytes, at, at + RATE)
  absorb(bytes, at, bytes.length, true)
  return Buffer.from(state.subarray(0, 32))
}

function absorb(bytes: Uint8Array, from: number, to: number, isLast = false): void {
  for (let i = from; i < to; i++) state[i - from] = (state[i - from] ?? 0) ^ (bytes[i] ?? 0)
  if (isLast) {
    state[to - from] = (state[to - from] ?? 0) ^ 1
    state[RATE - 1] = (state[RATE - 1] ?? 0) ^ 0x80
  }
  permute()
}

/** Locals of the function: the lanes, the lanes moved by rho and pi, the parities of the columns, and the round. */
const [LANE, MOVED, PARITY, DELTA, ROUND] = [0, LANES, 2 * LANES, 2 * LANES + 5, 2 * LANES + 6]
const get = (local: number): number[] => [0x20, local]
const set = (local: number): number[] => [0x21, local]
const xor = [0x85]
const and = [0x83]
const not = [0x42, 0x7f, ...xor]
const rotate = (bits: number): number[] => [0x42, bits, 0x89]
const zero = [0x41, 0]
const LOAD = [0x29, 3]
const STORE = [0x37, 3]
const each = (count: number, write: (i: number) => number[]): number[] =>
  Array.from({ length: count }, (_, i) => write(i)).flat()

/** Unsigned LEB128. */
const number = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...number(value >> 7)]
const sized = (bytes: number[]): number[] => [...number(bytes.length), ...bytes]
const section = (id: number, bytes: number[]): number[] => [id, ...sized(bytes)]
const text = (value: string): number[] => sized([...Buffer.from(value)])

function theta(): number[] {
  const parities = each(5, (x) => [
    ...get(LANE + x),
    ...each(4, (y) => [...get(LANE + x + 5 * (y + 1)), ...xor]),
    ...set(PARITY + x),
  ])
  const mixed = each(5, (x) => [
    ...[...get(PARITY + ((x + 1) % 5)), ...rotate(1), ...get(PARITY + ((x + 4) % 5)), ...xor],
    ...set(DELTA),
    ...each(5, (y) => {
      const lane = LANE + x + 5 * y
      return [...get(lane), ...get(DELTA), ...xor, ...set(lane)]
    }),
  ])
  return [...parities, ...mixed]
}

/** Rho and pi together: each lane is rotated, and moved to the place of the next. */
function move(): number[] {
  const code = [...get(LANE), ...set(MOVED)]
  for (let t = 0, x = 1, y = 0; t < LANES - 1; t++) {
    const from = LANE + x + 5 * y
    const bits = (((t + 1) * (t + 2)) / 2) % 64
    ;[x, y] = [y, (2 * x + 3 * y) % 5]
    code.push(...get(from), ...rotate(bits), ...set(MOVED + x + 5 * y))
  }
  return code
}

const chi = (): number[] =>
  each(LANES, (i) => {
    const after = (steps: number) => get(MOVED + i - (i % 5) + ((i + steps) % 5))
    return [...after(0), ...after(1), ...not, ...after(2), ...and, ...xor, ...set(LANE + i)]
  })

const iota = (): number[] => [
  ...[...get(LANE), ...get(ROUND), ...LOAD, ...number(CONSTANTS_AT), ...xor, ...set(LANE)],
]

function assemble(): Uint8Array {
  // The round counts bytes of constants; the loop goes on until it has used all.
  const next = [...get(ROUND), 0x41, 8, 0x6a, 0x22, ROUND]
  const untilLast = [0x41, ...number(ROUNDS * 8), 0x47, 0x0d, 0]
  const body = [
    // Locals of 64 bits, and one of 32 for the round.
    ...[2, ROUND, 0x7e, 1, 0x7f],
    ...each(LANES, (i) => [...zero, ...LOAD, ...number(i * 8), ...set(LANE + i)]),
    ...[0x03, 0x40, ...theta(), ...move(), ...chi(), ...iota(), ...next, ...untilLast, 0x0b],
    ...each(LANES, (i) => [...zero, ...get(LANE + i), ...STORE, ...number(i * 8)]),
    0x0b,
  ]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    // A function without parameters; one page of memory; both exported; the code.
    ...[...section(1, [1, 0x60, 0, 0]), ...section(3, [1, 0]), ...section(5, [1, 0, 1])],
    ...section(7, [2, ...text('memory'), 2, 0, ...text('permute'), 0, 0]),
    ...section(10, [1, ...sized(body)]),
  ])
}

/** The constants of the rounds, from the shift register that defines them. */
function roundConstants(): bigint[] {
  let register = 1
  return Array.from({ length: ROUNDS }, () => {
    let constant = 0n
    for (let bit = 0; bit < 7; bit++) {
      if (register & 1) constant |= 1n << BigInt(2 ** bit - 1)
      register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1
    }
    return constant
  })
}

type Exports = { memory: { buffer: ArrayBuffer }; permute(): void }
/** Node's, which its types leave out. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: Exports }
}
const { memory, permute } = new WebAssembly.Instance(new WebAssembly.Module(assemble())).exports
const state = new Uint8Array(memory.buffer, 0, CONSTANTS_AT)
new BigUint64Array(memory.buffer, CONSTANTS_AT, ROUNDS).set(roundConstants())
