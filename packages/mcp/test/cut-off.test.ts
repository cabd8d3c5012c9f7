import { expect, test } from 'vitest'
import { type Card, type User, type World, world } from '../../service/test/world.ts'
import { use } from './clients.ts'
import { inProcess } from './in-process.ts'

const RUNS = 1_000
/** Agents at once: more of them only wait for each other, and on a slow machine for longer than a seller may take. */
const CARDS = 4
const MODES = ['same', 'fresh', 'missing'] as const
/** `before`: nothing left. `during`: the service works on, and the repetition comes meanwhile. `after`: the answer was lost. */
const PHASES = ['before', 'during', 'after'] as const
type Cut = { call: number; phase: (typeof PHASES)[number] }
type Agent = { user: User; card: Card; url: string }

/** A network that dies at one call of the wallet: nothing comes through after it. */
function dyingAt(cut: Cut | undefined) {
  let calls = 0
  let isDead = false
  const running: Promise<unknown>[] = []
  const reached: string[] = []
  const fetchOnce = async (request: Request, init: { signal: AbortSignal }): Promise<Response> => {
    const isCut = cut !== undefined && calls++ === cut.call
    if (isDead || (isCut && cut.phase === 'before')) {
      isDead = true
      throw new TypeError('fetch failed')
    }
    reached.push(new URL(request.url).pathname)
    const answered = fetch(request, isCut ? {} : init)
    running.push(answered.then((answer) => answer.clone().text()))
    if (!isCut) return answered
    isDead = true
    if (cut.phase === 'after') await running.at(-1)
    throw new TypeError('fetch failed')
  }
  return {
    fetch: fetchOnce,
    /** Whether the service was asked to pay. */
    hasAsked: () => reached.includes('/api/pay'),
    end: () => Promise.allSettled(running),
  }
}

async function attempt(
  agent: Agent,
  asked: { given: Record<string, unknown>; cut?: Cut | undefined; baseUrl: string },
) {
  const { user, card } = agent
  const network = dyingAt(asked.cut)
  const client = await inProcess({
    baseUrl: asked.baseUrl,
    apiKey: user.key,
    card,
    fetch: network.fetch,
    retries: asked.cut ? 0 : 6,
  })
  const said = await use(client, 'pay', asked.given)
  await client.close()
  return { said, network }
}

async function charges({ user, card }: Agent): Promise<number> {
  const { body } = await user.get(`/api/payments?card_id=${card.id}&limit=1`)
  const { spent, held } = (await user.get(`/api/cards/${card.id}`)).body.card
  expect(held).toBe(0)
  for (const { status } of body.payments) expect(status).toBe('SETTLED')
  return Math.round(spent * 1_000)
}

async function agentsOf(w: World): Promise<Agent[]> {
  const seller = await w.user()
  const shop = await seller.card({ limit: 1 })
  const made = await seller.post('/api/paylinks', {
    card_id: shop.id,
    amount: '0.001',
    type: 'RECURRING',
    max_uses: 0,
  })
  expect(made.status, made.text).toBe(200)
  return Promise.all(
    Array.from({ length: CARDS }, async () => {
      const user = await w.user()
      return { user, card: await user.card({ limit: 5 }), url: made.body.url as string }
    }),
  )
}

// Nothing in MCP protects against a repeated call. An agent is cut off by a timeout, a restart of its client or its own loop.
test(`cut off at each await, with the same, fresh and missing keys: one charge a purchase in ${RUNS} runs`, async () => {
  await using w = await world()
  const baseUrl = await w.listen()
  const agents = await agentsOf(w)
  const outcomes: Record<string, number> = {}
  const seen = new Set<string>()

  async function run(agent: Agent, n: number): Promise<void> {
    const mode = MODES[n % 3] ?? 'same'
    const point = Math.floor(n / 3)
    // Without a name of its own the wallet asks for one before it pays.
    const calls = mode === 'missing' ? 2 : 1
    const cuts: Cut[] = [point, Math.floor(point / (calls * 3)) + 1].map((at) => ({
      call: Math.floor(at / 3) % calls,
      phase: PHASES[at % 3] ?? 'before',
    }))
    const url = `${agent.url}?run=${n}`
    const before = await charges(agent)
    let asked = 0
    const networks = []
    for (const [i, cut] of [...cuts, undefined].entries()) {
      const intent = { same: `run-${n}`, fresh: `run-${n}-${i}`, missing: undefined }[mode]
      const given = { url, ...(intent && { intent_id: intent }) }
      const { said, network } = await attempt(agent, { given, cut, baseUrl })
      networks.push(network)
      if (network.hasAsked()) asked += 1
      seen.add(cut ? `${mode} ${cut.call} ${cut.phase}` : mode)
      if (cut) expect(said.isError).toBe(true)
      else {
        expect(said.data.outcome, said.text).toBe('paid')
        outcomes[said.data.duplicate_of ? 'repeated' : 'paid'] =
          (outcomes[said.data.duplicate_of ? 'repeated' : 'paid'] ?? 0) + 1
      }
    }
    for (const network of networks) await network.end()
    // A fresh key is a new purchase: as many as the service was asked for.
    const expected = mode === 'fresh' ? asked : 1
    expect((await charges(agent)) - before, `run ${n} ${mode} ${JSON.stringify(cuts)}`).toBe(
      expected,
    )
  }

  await Promise.all(
    agents.map(async (agent, i) => {
      for (let n = i; n < RUNS; n += CARDS) await run(agent, n)
    }),
  )
  expect(Object.values(outcomes).reduce((sum, one) => sum + one, 0)).toBe(RUNS)
  expect(outcomes.repeated).toBeGreaterThan(RUNS / 5)
  expect(seen.size).toBe(3 + 3 * 2 + 3 * 2)
})
