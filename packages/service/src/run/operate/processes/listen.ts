import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config/config.ts'
import { codeOf, StartError } from '../start-error.ts'

type Place = Pick<Config, 'host' | 'port'>

/** How long open requests and jobs may take to finish. Then the service ends. */
const DRAIN_MS = 15_000

export async function withinDrainTime(done: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, DRAIN_MS)
  })
  await Promise.race([done, timeout]).finally(() => clearTimeout(timer))
}

/**
 * With reusePort each process has its own queue of connections. If a process is killed, its connections are refused at
 * once; a parent that distributes them would leave them hanging. On other platforms the parent distributes them.
 */
const OWN_QUEUE = process.platform === 'linux' ? { exclusive: true, reusePort: true } : {}

/** Listens. If that fails, throws a sentence that says what to do. */
export async function listen(
  app: FastifyInstance,
  { host, port, processes }: Place & Pick<Config, 'processes'>,
): Promise<void> {
  try {
    await app.listen({ host, port, ...(processes > 1 ? OWN_QUEUE : {}) })
  } catch (error) {
    throw explained(error, { host, port })
  }
}

/** Checks early whether the port is taken: in a millisecond, before everything else is started. */
export async function checkPort({ host, port }: Place): Promise<void> {
  const probe = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject)
      probe.listen({ host, port, exclusive: true }, resolve)
    })
  } catch (error) {
    throw explained(error, { host, port })
  }
  await new Promise((resolve) => probe.close(resolve))
}

function explained(error: unknown, { host, port }: Place): unknown {
  const say = (sentence: string) => new StartError(sentence, { cause: error })
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return say(
        `Port ${port} on ${host} is in use by another program: stop that, or choose another port with PORT.`,
      )
    case 'EACCES':
      return say(`This account may not listen on port ${port}: choose one above 1023 with PORT.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return say(`${host} is not an address of this machine: correct HOST.`)
    default:
      return error
  }
}
