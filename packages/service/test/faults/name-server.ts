import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const
const SILENCE = Symbol('silence')
/** The server's answer for a name: its addresses, its alias, or no answer at all. */
type Entry = readonly string[] | { cname: string } | typeof SILENCE

export const silent: Entry = SILENCE

/** A name server on loopback, on a free port by default, that answers as `answerOf` says; undefined for a name that does not exist. */
export async function nameServer(
  answerOf: (name: string, type: keyof typeof TYPES) => Entry | undefined,
  { address = '127.0.0.1', port = 0 } = {},
) {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, from) => {
    const { name, end } = readName(query, 12)
    const type = query.readUInt16BE(end) === TYPES.AAAA ? 'AAAA' : 'A'
    asked.push(`${name} ${type}`)
    const entry = answerOf(name, type)
    if (entry !== SILENCE)
      socket.send(reply(query, end + 4, { entry, type, answerOf }), from.port, from.address)
  })
  socket.bind(port, address)
  await once(socket, 'listening')
  return {
    servers: [`${address}:${socket.address().port}`],
    /** Every question, as `name type`. */
    asked,
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

type Asked = {
  entry: Exclude<Entry, typeof SILENCE> | undefined
  type: 'A' | 'AAAA'
  answerOf: (name: string, type: 'A' | 'AAAA') => Entry | undefined
}

function reply(query: Buffer, questionEnd: number, { entry, type, answerOf }: Asked): Buffer {
  const records: Buffer[] = []
  const addAddresses = (owner: Buffer, addresses: readonly string[]) => {
    for (const address of addresses)
      if ((isIP(address) === 6) === (type === 'AAAA'))
        records.push(record(owner, TYPES[type], bytesOf(address)))
  }
  const question = Buffer.from([0xc0, 12])
  if (entry && 'cname' in entry) {
    const target = writeName(entry.cname)
    records.push(record(question, TYPES.CNAME, target))
    const behind = answerOf(entry.cname, type)
    if (Array.isArray(behind)) addAddresses(target, behind)
  } else if (entry) addAddresses(question, entry as readonly string[])
  const head = Buffer.from(query.subarray(0, 12))
  head.writeUInt16BE(0x8180 | (entry ? 0 : 3), 2)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, query.subarray(12, questionEnd), ...records])
}

function record(owner: Buffer, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt32BE(0, 4)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([owner, fixed, data])
}

function readName(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = []
  let at = start
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length).toLowerCase())
    at += length + 1
  }
  return { name: labels.join('.'), end: at + 1 }
}

const writeName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ])

function bytesOf(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  // The URL parser writes an IPv4 tail as two groups.
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const [before = [], after = []] = groups.map((side) => side.split(':').filter(Boolean))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  const bytes = Buffer.alloc(16)
  for (const [i, group] of [...before, ...zeros, ...after].entries())
    bytes.writeUInt16BE(Number.parseInt(group, 16), i * 2)
  return bytes
}
