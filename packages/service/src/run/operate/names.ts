import dns, { type LookupAddress, type LookupOptions } from 'node:dns'

type Found = [address?: string | LookupAddress[], family?: number | undefined]
type Done = (error: NodeJS.ErrnoException | null, ...found: Found) => void
type Ask = (name: string, options: LookupOptions, done: Done) => void
type Question = { name: string; options: LookupOptions; waiting: Done[] }

/** A name server in the same network answers in milliseconds, and one that asks others within this. */
const SLOW_MS = 1_000

/**
 * Has this process ask for each name once at a time, and for names whose servers do not answer one after the other. Node asks
 * for them by `getaddrinfo` on two threads, for many seconds each time: the host name of one node of the chain whose name servers are
 * silent would keep both, and no new connection to the database would be made. A name that does not answer is where it was before.
 */
export function askNamesSparingly(): void {
  const ask = sparing(dns.lookup as unknown as Ask)
  // Connections that are given no lookup of their own take this one: those to the database, to nodes and to key services.
  dns.lookup = ((name: string, second: unknown, third?: Done) => {
    const done = third ?? (second as Done)
    const options = typeof second === 'number' ? { family: second } : second
    ask(name, third && options ? (options as LookupOptions) : {}, done)
  }) as typeof dns.lookup
}

/** As `ask`, for many callers. */
export function sparing(ask: Ask): Ask {
  const asking = new Map<string, Question>()
  const found = new Map<string, Found>()
  const slow = new Set<string>()
  const turns: (() => void)[] = []
  let isTaken = false

  function begin(key: string, question: Question, ended = () => {}): void {
    const { name, options } = question
    const late = setTimeout(() => {
      slow.add(name)
      recall(key, question)
    }, SLOW_MS)
    late.unref()
    ask(name, options, (error, ...answer) => {
      clearTimeout(late)
      asking.delete(key)
      if (!error) found.set(key, answer)
      for (const done of question.waiting.splice(0)) done(error, ...answer)
      if (!error) slow.delete(name)
      ended()
    })
  }

  /** Answers those who wait with what was found before. */
  function recall(key: string, { waiting }: Question): void {
    const before = found.get(key)
    if (before) for (const done of waiting.splice(0)) done(null, ...before)
  }

  /** A slow name leaves a thread to the others. */
  function inTurn(key: string, question: Question): void {
    recall(key, question)
    if (isTaken) return void turns.push(() => inTurn(key, question))
    isTaken = true
    begin(key, question, () => {
      isTaken = false
      turns.shift()?.()
    })
  }

  return (name, options, done) => {
    const key = JSON.stringify([name, options])
    const known = asking.get(key)
    const question = known ?? { name, options, waiting: [] }
    question.waiting.push(done)
    if (known) return void (slow.has(name) && recall(key, known))
    asking.set(key, question)
    if (slow.has(name)) inTurn(key, question)
    else begin(key, question)
  }
}
