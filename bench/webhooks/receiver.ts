/** A server for deliveries, in a process of its own: counts them by path, and never answers paths that it is given. */
import { createServer } from 'node:http'

type Counts = Record<string, number>
let counts: Counts = {}
let silent = new Set<string>()
let firstAt = 0
let lastAt = 0

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    const path = request.url ?? ''
    if (path === '/counts') {
      const { user, system } = process.cpuUsage()
      const cpuSeconds = (user + system) / 1e6
      return void response.end(JSON.stringify({ counts, firstAt, lastAt, cpuSeconds }))
    }
    if (path.startsWith('/reset')) {
      counts = {}
      firstAt = 0
      silent = new Set(path.split('?')[1]?.split(','))
      return void response.end()
    }
    counts[path] = (counts[path] ?? 0) + 1
    lastAt = performance.now()
    firstAt ||= lastAt
    if (!silent.has(path)) response.end()
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(JSON.stringify(server.address())))
