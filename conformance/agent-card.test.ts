import { AgentCard } from '@a2a-js/sdk'
import { ClientFactory, DefaultAgentCardResolver } from '@a2a-js/sdk/client'
import { expect, test } from 'vitest'
import { world } from '../packages/service/test/world.ts'

test('the official client of A2A 1.0 reads all of the agent card, and finds no A2A to try', async () => {
  await using w = await world()
  const baseUrl = await w.listen()
  const served = await (await fetch(`${baseUrl}/.well-known/agent-card.json`)).json()
  const card = await new DefaultAgentCardResolver().resolve(baseUrl)
  // Its JSON leaves out what is empty or false.
  expect(withoutEmpty(served)).toEqual(withoutEmpty(AgentCard.toJSON(AgentCard.fromJSON(served))))
  expect(card.supportedInterfaces).toEqual([])
  expect(card.capabilities?.extensions[0]?.params).toMatchObject({ service_id: baseUrl })
  await expect(new ClientFactory().createFromUrl(baseUrl)).rejects.toThrow(/interface|transport/i)
  const docs = await fetch(card.documentationUrl!)
  expect([docs.status, await docs.text()]).toEqual([200, expect.stringContaining('<h1>')])
})

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(
    ([, of]) => of !== false && !(Array.isArray(of) && of.length === 0),
  )
  return Object.fromEntries(members.map(([name, of]) => [name, withoutEmpty(of)]))
}
