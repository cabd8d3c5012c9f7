import { type Finding, finding, isObject, type Json } from './faults.ts'

const PATIENCE_MS = 15_000
const LONGEST_BYTES = 256 * 1024
/** A page of a catalogue is longer than a demand. */
export const PAGE_BYTES = 4 * 1024 * 1024

export type Answer = { status: number; headers: Headers; body: string }

/** One free request, not redirected. A finding if nothing comes back, or more than payers read. */
export async function ask(
  url: URL,
  method: string,
  maxBytes = LONGEST_BYTES,
): Promise<Answer | Finding> {
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: { accept: 'application/json', 'user-agent': 'purser-doctor' },
    })
    const body = await readShort(response, maxBytes)
    if (body === undefined) return finding('answer_too_long')
    return { status: response.status, headers: response.headers, body }
  } catch (error) {
    return finding('unreachable', causeOf(error))
  }
}

async function readShort({ body }: Response, maxBytes: number): Promise<string | undefined> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    length += part.length
    if (length > maxBytes) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) throw error
  if (error.name === 'TimeoutError') return `no answer within ${PATIENCE_MS / 1000} seconds`
  const { cause } = error as { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? error.message
}

/** The reason why an answer to an unpaid request shows no price. Undefined for a 402. */
export function checkStatus({ status, headers }: Answer): Finding | undefined {
  const said = String(status)
  if (status === 402) return undefined
  if (status >= 300 && status < 400)
    return finding('redirects', headers.get('location') ?? 'nowhere')
  if (status < 300) return finding('answers_unpaid', said)
  if (status >= 500) return finding('fails', said)
  switch (status) {
    case 401:
    case 403:
    case 407:
      return finding('wants_sign_in', said)
    case 404:
    case 410:
      return finding('not_found', said)
    case 405:
      return finding('other_method', said)
    case 400:
    case 409:
    case 411:
    case 415:
    case 422:
      return finding('checks_input_first', said)
    case 429:
      return finding('limits_requests', said)
    default:
      return finding('other_status', said)
  }
}

export const readJson = (text: string): Json | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
