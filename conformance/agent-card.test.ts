import { AgentCard, SendMessageRequest } from '@a2a-js/sdk'
import { ClientFactory, DefaultAgentCardResolver } from '@a2a-js/sdk/client'
import { expect, test } from 'vitest'
import { world } from '../packages/service/test/world.ts'

test('the official client of A2A 1.0 reads all of the agent card, and asks at the interface that it names', async () => {
  await using w = await world()
  const baseUrl = await w.listen()
  const served: any = await (await fetch(`${baseUrl}/.well-known/agent-card.json`)).json()
  const card = await new DefaultAgentCardResolver().resolve(baseUrl)
  // Its JSON leaves out what is empty or false.
  expect(withoutEmpty(served)).toEqual(withoutEmpty(AgentCard.toJSON(AgentCard.fromJSON(served))))
  // A2A 1.0, section 5.7: a required list has at least one element.
  for (const list of ['supportedInterfaces', 'defaultInputModes', 'defaultOutputModes', 'skills'])
    expect(served[list].length).toBeGreaterThan(0)
  expect(card.capabilities?.extensions[0]?.params).toMatchObject({ service_id: baseUrl })
  const docs = await fetch(card.documentationUrl!)
  expect([docs.status, await docs.text()]).toEqual([200, expect.stringMatching(/<h1\b/)])

  const seller = await w.user()
  const { id } = await seller.card({ limit: 1 })
  const link = (await seller.post('/api/paylinks', { card_id: id, amount: 0.5 })).body
  const client = await new ClientFactory().createFromUrl(baseUrl)
  const message = {
    messageId: 'm1',
    role: 'ROLE_USER',
    parts: [{ text: `Price of ${link.code}?` }],
  }
  const answer = await client.sendMessage(SendMessageRequest.fromJSON({ message }))
  expect(JSON.stringify(answer)).toContain(`${link.code} asks for 0.5 USDC`)
  await expect(client.getTask({ id: 'none', tenant: '', historyLength: 0 })).rejects.toThrow(
    /task/i,
  )
})

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(
    ([, of]) => of !== false && !(Array.isArray(of) && of.length === 0),
  )
  return Object.fromEntries(members.map(([name, of]) => [name, withoutEmpty(of)]))
}
