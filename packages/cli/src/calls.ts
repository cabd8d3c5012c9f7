import { type ClientOptions, createPurser, type Purser } from '@purser/sdk'
import { repeatHint } from './fault.ts'
import { startProgress, stopProgress, stopWaiting } from './progress.ts'

/** As a shell has it for a program that Ctrl-C ended. */
const INTERRUPTED_EXIT = 130

/** A client that shows what it waits for, and tells how to go on with a request that Ctrl-C cuts off. */
export const watched = (options: Omit<ClientOptions, 'fetch'>): Purser =>
  createPurser({ ...options, fetch: watch })

async function watch(request: Request, init: { signal: AbortSignal }): Promise<Response> {
  const interrupt = () => {
    stopProgress()
    console.error(repeatHint(request.headers.get('idempotency-key') ?? undefined))
    process.exit(INTERRUPTED_EXIT)
  }
  const isWrite = request.method !== 'GET'
  if (isWrite) process.once('SIGINT', interrupt)
  startProgress(`Waiting for ${new URL(request.url).host}`)
  try {
    return await fetch(request, init)
  } finally {
    stopWaiting()
    process.off('SIGINT', interrupt)
  }
}

/** The client with each repeatable request under this key. Only reads take none. */
export function underKey(purser: Purser, key: string | undefined): Purser {
  if (key === undefined) return purser
  const keyed =
    (call: unknown) =>
    (path: string, init: Init = {}) => {
      const params = { ...init.params, header: { ...init.params?.header, 'Idempotency-Key': key } }
      return (call as (path: string, init: Init) => unknown)(path, { ...init, params })
    }
  const { POST, PUT, PATCH, DELETE } = purser
  const writes = { POST: keyed(POST), PUT: keyed(PUT), PATCH: keyed(PATCH), DELETE: keyed(DELETE) }
  return { ...purser, ...writes } as Purser
}

type Init = { params?: { header?: object } }
