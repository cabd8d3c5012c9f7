import { type AddressInfo, createServer, type Socket } from 'node:net'
import pg from 'pg'

/** A message of the PostgreSQL protocol: its type and all of its bytes. */
type Message = { type: string; bytes: Buffer }
/** A lent connection to the database. */
type Server = { socket: Socket; hear: (message: Message) => void; statements: Set<string> }

const HEADER = 5
function message(type: string, body: string): Buffer {
  const bytes = Buffer.alloc(HEADER + body.length)
  bytes.write(type, 0, 'latin1')
  bytes.writeInt32BE(4 + body.length, 1)
  bytes.write(body, HEADER, 'latin1')
  return bytes
}
const SYNC = message('S', '')
const PARSED = message('1', '')
const ROLLBACK: Message = { type: 'Q', bytes: message('Q', 'rollback\0') }
const GREETING = Buffer.concat([
  message('R', '\0\0\0\0'),
  message('S', 'client_encoding\0UTF8\0'),
  message('S', 'server_version\x0018.0\0'),
  message('S', 'standard_conforming_strings\0on\0'),
  message('K', '\0\0\0\x01\0\0\0\x01'),
  message('Z', 'I'),
])

/** Calls back with each whole message of a stream. */
function splitter(heard: (message: Message) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= HEADER && rest.length > rest.readInt32BE(1)) {
      const length = 1 + rest.readInt32BE(1)
      heard({ type: String.fromCharCode(rest[0] as number), bytes: rest.subarray(0, length) })
      rest = rest.subarray(length)
    }
  }
}

/** The zero-terminated strings in a message's body. */
const wordsOf = ({ bytes }: Message): string[] => bytes.toString('latin1', HEADER).split('\0')

/** The driver's socket, which we take over once the driver has signed in. */
const socketOf = (client: pg.Client): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream

async function connect(url: string): Promise<Server> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  const socket = socketOf(client)
  const server: Server = { socket, hear: () => {}, statements: new Set() }
  socket.removeAllListeners('data')
  socket.on(
    'data',
    splitter((heard) => server.hear(heard)),
  )
  return server
}

/** Sends the bytes, passes on the responses, and answers the state in which the server is ready again. */
const exchange = (server: Server, sent: Buffer, each: (heard: Message) => void) =>
  new Promise<string>((resolve) => {
    server.hear = (heard) => {
      each(heard)
      if (heard.type === 'Z') resolve(String.fromCharCode(heard.bytes[HEADER] as number))
    }
    server.socket.write(sent)
  })

const isNamed = (each: Message) => each.type === 'P' && wordsOf(each)[0] !== ''

/**
 * Prepares the statements that the messages name on this connection, and answers the messages without those that
 * prepare them.
 */
async function remember(
  server: Server,
  group: Message[],
  known: Map<string, Buffer>,
): Promise<Message[]> {
  for (const each of group) {
    const [first = '', second = ''] = wordsOf(each)
    if (isNamed(each)) known.set(first, each.bytes)
    const name = each.type === 'P' ? first : each.type === 'B' ? second : ''
    const text = known.get(name)
    if (!text || server.statements.has(name)) continue
    await exchange(server, Buffer.concat([text, SYNC]), ({ type }) => {
      if (type === '1') server.statements.add(name)
    })
  }
  return group.filter((each) => !isNamed(each))
}

/**
 * Lends connections to the database for one transaction each, as pgBouncer does in transaction mode. A lent connection
 * does not know statements that a client prepared elsewhere, like pgBouncer up to 1.20. With `remembers` it prepares
 * them too, like pgBouncer since 1.21 with `max_prepared_statements`.
 */
export async function transactionPooler(
  url: string,
  { connections, remembers }: { connections: number; remembers: boolean },
) {
  const servers = await Promise.all(Array.from({ length: connections }, () => connect(url)))
  const free = [...servers]
  const waiting: ((server: Server) => void)[] = []
  const acquire = () =>
    new Promise<Server>((resolve) => {
      const server = free.pop()
      if (server) resolve(server)
      else waiting.push(resolve)
    })
  const release = (server: Server) => {
    const next = waiting.shift()
    if (next) next(server)
    else free.push(server)
  }

  const sockets = new Set<Socket>()
  function serve(client: Socket): void {
    const known = new Map<string, Buffer>()
    let held: Server | undefined
    let group: Message[] = []
    let last = Promise.resolve()

    async function run(messages: Message[]): Promise<void> {
      const server = held ?? (await acquire())
      held = server
      const rest = remembers ? await remember(server, messages, known) : messages
      for (let i = rest.length; i < messages.length; i++) client.write(PARSED)
      const sent = Buffer.concat(rest.map(({ bytes }) => bytes))
      const state = await exchange(server, sent, ({ bytes }) => client.write(bytes))
      if (state !== 'I') return
      held = undefined
      release(server)
    }
    const split = splitter((heard) => {
      if (heard.type === 'X') return
      group.push(heard)
      if (heard.type !== 'S' && heard.type !== 'Q') return
      const whole = group
      group = []
      last = last.then(() => run(whole))
    })
    sockets.add(client)
    client.on('error', () => undefined)
    client.once('data', () => {
      client.write(GREETING)
      client.on('data', split)
    })
    client.on('close', () => {
      sockets.delete(client)
      last = last.then(() => (held ? run([ROLLBACK]) : undefined))
    })
  }

  const listener = createServer(serve)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String((listener.address() as AddressInfo).port)
  return {
    url: through.href,
    close(): void {
      listener.close()
      for (const socket of sockets) socket.destroy()
      for (const { socket } of servers) socket.destroy()
    },
  }
}
