import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { officialSeller } from '../../service/test/sellers/x402-sellers.ts'
import { type User, world } from '../../service/test/world.ts'
import { agentOf, ERAS, type Era, overHttp, use } from './clients.ts'

const SHOWS_URLS = { capabilities: { elicitation: { url: {} } } }
const CAREFUL = { approval_above: '0.005' }

async function approve(user: User): Promise<string> {
  const { body } = await user.get('/api/approvals?status=PENDING')
  const [{ id }] = body.approvals
  const said = await user.post(`/api/approvals/${id}/approve`)
  expect(said.status, said.text).toBe(200)
  return id
}

/** A call as the client sees it that fulfils nothing by itself. */
async function ask(client: Client, given: object, extra: object = {}): Promise<any> {
  const params = { name: 'pay', arguments: given, ...extra }
  return client.callTool(params as never, { allowInputRequired: true } as never)
}

test.each(Object.keys(ERAS) as Era[])(
  'a client of %s that shows URLs is asked, its user approves, and the call goes on to the goods',
  async (era) => {
    await using w = await world()
    const baseUrl = await w.listen()
    await using seller = await officialSeller({ price: '$0.01' })
    const { user, key, card } = await agentOf(w, CAREFUL)
    const client = await overHttp(baseUrl, { key, cardToken: card.token }, { ...SHOWS_URLS, era })
    const shown: string[] = []
    let action: 'accept' | 'decline' = 'decline'
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      shown.push((params as { url: string }).url)
      if (action === 'accept') await approve(user)
      return { action }
    })
    const declined = await use(client, 'pay', { url: seller.url, intent_id: 'asked' })
    expect(declined.data).toMatchObject({
      outcome: 'approval_required',
      approval: { url: shown[0] },
    })
    action = 'accept'
    const bought = await use(client, 'pay', { url: seller.url, intent_id: 'asked' })
    expect(bought.text).toMatch(/^Paid 0\.01005 USDC/)
    expect(shown).toEqual([expect.stringMatching(/\/approvals\/apr_/), shown[0]])
    expect(seller.paid).toHaveLength(1)
    await client.close()
  },
)

test('another client hears the URL, and finds the approval later, on another machine', async () => {
  await using w = await world()
  const baseUrl = await w.listen()
  await using seller = await officialSeller({ price: '$0.01' })
  const { user, key, card } = await agentOf(w, CAREFUL)
  const credentials = { key, cardToken: card.token }
  const client = await overHttp(baseUrl, credentials)
  const given = { url: seller.url, intent_id: 'later' }
  const asked = await use(client, 'pay', given)
  expect(asked.data).toMatchObject({ outcome: 'approval_required', receipt: null })
  expect(asked.text).toContain(asked.data.approval.url)
  const again = await use(client, 'request_approval', given)
  expect(again.data.approval).toEqual(asked.data.approval)
  await client.close()
  await approve(user)
  await using machine = await w.machine()
  const other = await overHttp(await machine.listen(), credentials)
  const needless = await use(other, 'request_approval', given)
  expect(needless.data).toMatchObject({ outcome: 'refused', code: 'approval_not_needed' })
  expect((await use(other, 'pay', given)).data).toMatchObject({ outcome: 'paid' })
  expect((await use(other, 'pay', given)).data.duplicate_of).toMatch(/^txn_/)
  expect(seller.paid).toHaveLength(1)
  await other.close()
})

test('a requestState that was changed, is used, or is of another purchase or key is refused, on each machine', async () => {
  await using w = await world()
  await using machine = await w.machine()
  const [near, far] = [await w.listen(), await machine.listen()]
  await using seller = await officialSeller({ price: '$0.01' })
  const { user, key, card } = await agentOf(w, CAREFUL)
  const options = { ...SHOWS_URLS, inputRequired: { autoFulfill: false } }
  const credentials = { key, cardToken: card.token }
  const clients = [
    await overHttp(near, credentials, options),
    await overHttp(far, credentials, options),
  ] as const
  const given = { url: seller.url, intent_id: 'sealed' }
  const { requestState } = await ask(clients[0], given)
  expect(requestState).toMatch(/^v1\./)
  const inputResponses = { approval: { action: 'accept' } }
  const bring = (client: Client, state: string, order: object = given) =>
    ask(client, order, { requestState: state, inputResponses })

  for (const client of clients)
    for (const at of [4, 40, requestState.length - 3]) {
      const other = requestState[at] === 'A' ? 'B' : 'A'
      const changed = requestState.slice(0, at) + other + requestState.slice(at + 1)
      await expect(bring(client, changed)).rejects.toThrow('Invalid or expired requestState')
    }
  for (const order of [
    { ...given, url: `${seller.url}?other` },
    { ...given, intent_id: 'another' },
  ]) {
    const said = await bring(clients[0], requestState, order)
    expect(said.isError).toBe(true)
    expect(said.content[0].text).toContain('request_state_mismatch')
  }
  const byCard = await overHttp(near, { key: card.token }, options)
  await expect(bring(byCard, requestState)).rejects.toThrow('Invalid or expired requestState')

  await approve(user)
  const paid = await bring(clients[1], requestState)
  expect(paid.structuredContent).toMatchObject({ outcome: 'paid' })
  for (const client of clients) {
    const reused = await bring(client, requestState)
    expect(reused.isError).toBe(true)
    expect(reused.content[0].text).toContain('request_state_used')
  }
  expect(seller.paid).toHaveLength(1)
  for (const client of [...clients, byCard]) await client.close()
})

test('a decline names what the owner can do, and the payment passes once it is allowed', async () => {
  await using w = await world()
  await using seller = await officialSeller({ price: '$0.01' })
  const { user, key, card } = await agentOf(w, { max_transaction: '0.005' })
  const client = await overHttp(await w.listen(), { key, cardToken: card.token })
  const refused = await use(client, 'pay', { url: seller.url })
  expect(refused.data).toMatchObject({ outcome: 'refused', decision_id: expect.any(String) })
  expect(refused.text).toContain(`npx purser approvals allow ${refused.data.decision_id} --once`)
  const allowed = await user.post(`/api/decisions/${refused.data.decision_id}/allow`, {
    once: true,
  })
  expect(allowed.status, allowed.text).toBe(200)
  expect((await use(client, 'pay', { url: seller.url })).data).toMatchObject({ outcome: 'paid' })
  expect(seller.paid).toHaveLength(1)
  await client.close()
})
