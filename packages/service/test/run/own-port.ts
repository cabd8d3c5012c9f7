import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below those that the system gives to whoever asks for any port, and whose number is no matter. */
const FIRST = 15_000
const COUNT = 15_000

/**
 * A TCP port of the loopback interface for a program that starts later. Tests beside this one take any port thousands of
 * times in a run, and none of these.
 */
export async function ownPort(): Promise<number> {
  for (;;) {
    const port = FIRST + randomInt(COUNT)
    if (await isFree(port)) return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
