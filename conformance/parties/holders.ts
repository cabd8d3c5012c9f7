import { ask } from '../../packages/service/test/crash/client.ts'
import type { Holder } from '../stage.ts'

/** A client with an API key of a service that runs as a program. */
export function holderOver(baseUrl: string, key: string): Holder {
  const send = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${key}` }
    const reply = await ask(baseUrl, {
      method,
      path,
      headers,
      ...(body === undefined ? {} : { body }),
    })
    if (!reply) throw new Error(`${method} ${path} was not answered`)
    return { ...reply, headers: {}, text: JSON.stringify(reply.body) }
  }
  return { key, get: (path) => send('GET', path), post: (path, body) => send('POST', path, body) }
}
