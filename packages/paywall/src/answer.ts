import type { Bytes } from './bytes.ts'

/** An answer of the paywall itself. Names of headers are in lower case. */
export type Answer = {
  status: number
  headers: Record<string, string | string[]>
  body: string | Bytes | null
}

/** The answer in web standards. */
export function responseOf({ status, headers, body }: Answer): Response {
  const all = new Headers()
  for (const [name, value] of Object.entries(headers))
    for (const one of [value].flat()) all.append(name, one)
  return new Response(body, { status, headers: all })
}

/** An answer of web standards, such as a refusal by the seller's own check, to be kept by no cache. */
export async function answerOf(response: Response): Promise<Answer> {
  const headers: Answer['headers'] = Object.fromEntries(response.headers)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  const body = response.body ? new Uint8Array(await response.arrayBuffer()) : null
  return { status: response.status, headers: { ...headers, 'cache-control': 'no-store' }, body }
}
