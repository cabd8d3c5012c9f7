import { expect, test } from 'vitest'
import { bodyOf, credentialOf, mppShop, payByWallet } from '../../../../test/actors/mpp-payers.ts'
import { agentKey, openAgent } from '../../../../test/sellers/agent-kit.ts'
import { world } from '../../../../test/world.ts'

const codeOf = async (answer: Response) => [answer.status, (await bodyOf(answer)).code]
const REQUIRED = [401, 'agent_signature_required']

test('a link that names its agents shows its price to them alone, and is paid by them alone', async () => {
  await using w = await world()
  await using agent = await openAgent()
  const s = await mppShop(w, {
    type: 'RECURRING',
    max_uses: 0,
    accepted_protocols: ['mpp', 'x402'],
    allowed_agents: [`${agent.origin}/`],
  })
  expect(s.link).toMatchObject({
    allowed_agents: [agent.origin],
    accepted_protocols: ['mpp', 'x402'],
  })
  const unsigned = await fetch(s.url)
  expect(unsigned.headers.get('accept-signature')).toMatch(/"@authority".*tag="web-bot-auth"/)
  expect(unsigned.headers.get('www-authenticate')).toBeNull()
  expect(await codeOf(unsigned)).toEqual(REQUIRED)
  // Nobody signs a payment in vain, and an unsigned payment is not taken.
  const payer = await s.payer()
  expect((await payByWallet(payer)(s.url)).status).toBe(401)
  const paid = await payByWallet(payer, agent.fetch)(s.url)
  expect([paid.status, await s.received()]).toEqual([200, 0.4975])

  const headers = agent.signed(s.url)
  const offered = await agent.fetch(s.url)
  expect(offered.status).toBe(402)
  const credential = await credentialOf(s.url, await s.payer(), { headers: agent.signed(s.url) })
  expect(await codeOf(await fetch(s.url, { headers: { authorization: credential } }))).toEqual(
    REQUIRED,
  )
  const both = { ...headers, authorization: credential }
  expect((await fetch(s.url, { headers: both })).status).toBe(200)
  // The nonce of a payment is used; a retry signs anew, and gets the same receipt.
  expect(await codeOf(await fetch(s.url, { headers: both }))).toEqual([401, 'agent_nonce_used'])
  const again = { ...agent.signed(s.url), authorization: credential }
  expect((await fetch(s.url, { headers: again })).status).toBe(200)
  expect(await s.received()).toBeCloseTo(2 * 0.4975, 6)
  // One look at the directory served all of it.
  expect(agent.asked()).toBe(1)
  await w.advance(90_000)
  await w.runJobs()
  const { countNonces } = await import('../../../api/agents/store.ts')
  expect(await countNonces(w.db.reader, s.link.id)).toBe(0)
})

test('a signature for another link, host, method or time, by a stranger’s key, or of another agent pays nothing', async () => {
  await using w = await world()
  await using agent = await openAgent()
  await using other = await openAgent()
  const s = await mppShop(w, { allowed_agents: [agent.origin] })
  const asked = async (headers: Record<string, string>) => codeOf(await fetch(s.url, { headers }))
  const INVALID = [401, 'agent_signature_invalid']
  const otherLink = s.url.replace(/.$/, (last) => (last === 'X' ? 'Y' : 'X'))
  expect(await asked(agent.signed(otherLink))).toEqual(INVALID)
  expect(await asked(agent.signed(s.url, { method: 'POST' }))).toEqual(INVALID)
  expect(await asked(agent.signed(s.url, { signer: agentKey().signer }))).toEqual(INVALID)
  const past = new Date(w.now().getTime() - 120_000)
  expect(await asked(agent.signed(s.url, { at: past }))).toEqual(INVALID)
  // A Host header is the sender's word: the authority is ours.
  const elsewhere = 'http://elsewhere.example'
  const target = new URL(s.url).pathname
  const moved = await w.call('GET', target, undefined, {
    headers: { ...agent.signed(elsewhere + target), host: 'elsewhere.example' },
  })
  expect([moved.status, moved.body.code]).toEqual(INVALID)
  // Another agent is refused before its directory is asked.
  expect(await asked(other.signed(s.url))).toEqual([403, 'agent_not_allowed'])
  expect(other.asked()).toBe(0)
  expect(await s.received()).toBe(0)
})

test('a new key of an agent is seen after half a minute, and a directory that fails is asked once in that time', async () => {
  await using w = await world()
  await using agent = await openAgent()
  const s = await mppShop(w, { allowed_agents: [agent.origin] })
  const asked = async () =>
    codeOf(await fetch(s.url, { headers: agent.signed(s.url, { at: w.now() }) }))
  agent.directory.status = 500
  for (let i = 0; i < 5; i++) expect(await asked()).toEqual([503, 'agent_directory_unavailable'])
  expect(agent.asked()).toBe(1)
  agent.directory.status = 200
  await w.advance(31)
  agent.directory.type = 'application/json'
  expect(await asked()).toEqual([503, 'agent_directory_unavailable'])
  await w.advance(31)
  agent.directory.type = 'application/http-message-signatures-directory+json'
  expect((await asked())[0]).toBe(402)
  agent.keys.unshift(agentKey())
  expect(await asked()).toEqual([401, 'agent_signature_invalid'])
  await w.advance(31)
  expect((await asked())[0]).toBe(402)
  expect(agent.asked()).toBe(4)
})

test('ten requests with one nonce pay once', async () => {
  await using w = await world()
  await using agent = await openAgent()
  const s = await mppShop(w, { type: 'RECURRING', max_uses: 0, allowed_agents: [agent.origin] })
  const authorization = await credentialOf(s.url, await s.payer(), { headers: agent.signed(s.url) })
  const headers = { ...agent.signed(s.url), authorization }
  const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(s.url, { headers })))
  const statuses = answers.map(({ status }) => status).sort()
  expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 401)])
  expect(await s.received()).toBe(0.4975)
})

test('a link that names agents takes only what they can sign', async () => {
  await using w = await world()
  const user = await w.user()
  const card = await user.card({ limit: 1 })
  const create = async (more: object) => {
    const { status, body } = await user.post('/api/paylinks', {
      card_id: card.id,
      amount: 1,
      ...more,
    })
    return [status, body.accepted_protocols ?? body.code]
  }
  const allowed_agents = ['http://127.0.0.1:1']
  expect(await create({ allowed_agents })).toEqual([200, ['x402', 'mpp']])
  expect(await create({ allowed_agents, accepted_protocols: ['mpp'] })).toEqual([200, ['mpp']])
  expect(await create({ allowed_agents, accepted_protocols: ['card'] })).toEqual([
    400,
    'invalid_field',
  ])
  expect(await create({ allowed_agents: [] })).toEqual([400, 'invalid_field'])
  expect(await create({ allowed_agents: ['http://agent.example'] })).toEqual([
    400,
    'url_not_allowed',
  ])
  expect(await create({ allowed_agents: ['https://10.0.0.1'] })).toEqual([400, 'url_not_allowed'])
  expect(await create({ allowed_agents: ['nothing'] })).toEqual([400, 'url_not_allowed'])
})
