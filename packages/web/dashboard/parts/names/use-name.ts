import { useQuery } from '@tanstack/react-query'
import { purser } from '../../service/client.ts'

export type PayeeName = Awaited<ReturnType<typeof purser.profile.names>>['payees'][number]

/** Codes of links, addresses of wallets and ids of cards have names; hosts are names. */
const NAMED = /^(PL_\w{10}|0x[0-9a-fA-F]{40}|card_\w{26})$/
const AT_ONCE = 100
const SOON_MS = 15

type Asked = { resolve: (name: PayeeName | null) => void; reject: (error: unknown) => void }
const waiting = new Map<string, Asked[]>()

/** Names that a page asks for in one moment are one call. */
function nameOf(of: string): Promise<PayeeName | null> {
  if (waiting.size === 0) setTimeout(() => void askAll(), SOON_MS)
  return new Promise((resolve, reject) => {
    waiting.set(of, [...(waiting.get(of) ?? []), { resolve, reject }])
  })
}

async function askAll(): Promise<void> {
  const asked = new Map(waiting)
  waiting.clear()
  const all = [...asked.keys()]
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const some = all.slice(at, at + AT_ONCE)
    const each = (tell: (one: Asked, of: string) => void) => {
      for (const of of some) for (const one of asked.get(of) ?? []) tell(one, of)
    }
    try {
      const { payees } = await purser.profile.names({ of: some.join(',') })
      const found = new Map(payees.map((payee) => [payee.of, payee]))
      each(({ resolve }, of) => resolve(found.get(of) ?? null))
    } catch (error) {
      each(({ reject }) => reject(error))
    }
  }
}

/** The name of a payee or payer: what a shop calls itself, what a link or a card is for. Undefined: it has none, or it is not known yet. */
export function useName(of: string): { main: string; more: string | null } | undefined {
  const { data } = useQuery({
    queryKey: ['name', of],
    queryFn: () => nameOf(of),
    enabled: NAMED.test(of),
    staleTime: 300_000,
  })
  const main = data?.name ?? data?.title
  return main ? { main, more: data?.name ? (data.title ?? null) : null } : undefined
}

const EDGE = 6
/** A code as it is, and an address cut in its middle. */
export const shortOf = (of: string): string =>
  of.length > 2 * EDGE + 4 ? `${of.slice(0, EDGE)}…${of.slice(-4)}` : of
