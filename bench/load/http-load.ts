/**
 * A closed loop of HTTP requests from a separate process: each caller sends its next request once it has its
 * answer. Reads a job from the file named on the command line and prints one line of JSON.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'

export type LoadJob = {
  /** Machines of one service. Each caller has a connection to each. */
  ports: number[]
  /** The machine of each request, as a place in `ports`, as a proxy would choose. By default all go to the first. */
  turns?: number[]
  connections: number
  /** Requests a second at most; by default as many as are answered. */
  perSecond?: number
  /** Sent with every request, besides Host, Content-Type and Content-Length. */
  headers: Record<string, string>
  /** One request a line: `POST /path {"json":"body"}`, or `GET /path`. */
  requestsFile: string
}
export type LoadResult = {
  requests: number
  seconds: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  /** The number of answers with each status. */
  statuses: Record<string, number>
  /** The first answers whose status was not 2xx. */
  refusals: string[]
  cpuSeconds: number
}

function requestsOf(job: LoadJob): Buffer[] {
  const shared = Object.entries(job.headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const lines = readFileSync(job.requestsFile, 'utf8').split('\n')
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [method, path] = line.split(' ', 2)
      const body = line.slice(`${method} ${path} `.length)
      const entity = body
        ? `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
        : '\r\n'
      return Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: purser\r\n${shared}${entity}`)
    })
}

const END = Buffer.from('\r\n\r\n')

/** The length of the whole answer at the start of `bytes`, or undefined while some of it is missing. */
function answerLength(bytes: Buffer): number | undefined {
  const head = bytes.indexOf(END)
  if (head < 0) return undefined
  const [, length = '0'] =
    /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', 0, head)) ?? []
  const whole = head + END.length + Number(length)
  return bytes.length >= whole ? whole : undefined
}

function run(job: LoadJob): Promise<LoadResult> {
  const requests = requestsOf(job)
  const latencies: number[] = []
  const statuses: Record<string, number> = {}
  const refusals: string[] = []
  let next = 0
  let open = Math.min(job.connections, requests.length)
  const startedAt = performance.now()
  const cpu = process.cpuUsage()
  return new Promise((resolve, reject) => {
    const finish = () => {
      const seconds = (performance.now() - startedAt) / 1000
      const sorted = latencies.sort((a, b) => a - b)
      const at = (share: number) =>
        Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) * 10) / 10
      const { user, system } = process.cpuUsage(cpu)
      resolve({
        requests: sorted.length,
        seconds: Math.round(seconds * 100) / 100,
        perSecond: Math.round(sorted.length / seconds),
        p50Ms: at(0.5),
        p99Ms: at(0.99),
        maxMs: at(1),
        statuses,
        refusals,
        cpuSeconds: (user + system) / 1e6,
      })
    }
    const begin = (sockets: Socket[]) => {
      let sentAt = 0
      const send = (): void => {
        const index = next++
        const request = requests[index]
        if (!request) {
          for (const socket of sockets) socket.destroy()
          if (--open === 0) finish()
          return
        }
        const wait = job.perSecond
          ? startedAt + (index * 1000) / job.perSecond - performance.now()
          : 0
        const go = () => {
          sentAt = performance.now()
          sockets[job.turns?.[index] ?? 0]?.write(request)
        }
        if (wait > 0) setTimeout(go, wait)
        else go()
      }
      const answered = (answer: Buffer) => {
        latencies.push(performance.now() - sentAt)
        const status = answer.toString('latin1', 9, 12)
        statuses[status] = (statuses[status] ?? 0) + 1
        if (!status.startsWith('2') && refusals.length < 3) refusals.push(answer.toString('utf8'))
        send()
      }
      for (const socket of sockets) {
        onAnswers(socket, answered)
        socket.on('error', reject)
      }
      void Promise.all(sockets.map((socket) => once(socket, 'connect'))).then(send, reject)
    }
    for (let i = 0; i < open; i++)
      begin(job.ports.map((port) => connect({ port, host: '127.0.0.1', noDelay: true })))
  })
}

/** Calls `heard` with each whole answer that arrives. */
function onAnswers(socket: Socket, heard: (answer: Buffer) => void): void {
  let pending: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    const length = answerLength(pending)
    if (length === undefined) return
    const answer = pending.subarray(0, length)
    pending = pending.subarray(length)
    heard(answer)
  })
}

if (import.meta.main) {
  const file = process.argv[2]
  if (!file) throw new Error('usage: node bench/http-load.ts <job.json>')
  console.log(JSON.stringify(await run(JSON.parse(readFileSync(file, 'utf8')))))
}
