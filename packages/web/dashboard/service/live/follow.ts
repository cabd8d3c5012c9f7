import { createPurser, type PurserEvent } from '@purser/sdk'

/**
 * Whether events come as they happen. `opening`: nothing was answered yet. `offline`: no answer comes. `failing`: the service answers,
 * and cannot work. `full`: as many streams are open as the wallet may have. `ended`: the session is over.
 */
export type Line = 'opening' | 'live' | 'offline' | 'failing' | 'full' | 'ended'
export type Message = { line: Line } | { event: PurserEvent }

const lineOf = (status: number): Line => {
  if (status === 0) return 'offline'
  if (status === 401) return 'ended'
  if (status === 429) return 'full'
  return status < 400 ? 'live' : 'failing'
}

/** Follows the events of the wallet that is signed in, and how the line is. Ends by the signal, or with the session. */
export async function follow(
  baseUrl: string,
  tell: (message: Message) => void,
  signal: AbortSignal,
): Promise<void> {
  const follower = createPurser({
    baseUrl,
    onResponse: ({ status }) => tell({ line: lineOf(status) }),
  })
  try {
    for await (const event of follower.followEvents({ signal })) tell({ event })
  } catch (error) {
    // An error of this program must not pass for a live line.
    if (!signal.aborted) tell({ line: lineOf((error as { status?: number }).status ?? 0) })
  }
}
