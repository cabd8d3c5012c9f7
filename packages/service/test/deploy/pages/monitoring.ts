import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { until } from '../../until.ts'
import { HOST } from '../machine.ts'
import { untilReady } from '../stage.ts'
import type { Walk } from '../walk.ts'

const PAGE = 'monitoring.md'
const SECTIONS = ['On one machine', 'Figures', 'Prometheus', 'Somebody is called']
const CALL = 'https://example.com/call-somebody'

/** The one who is called: a server outside of the machine, and the alerts that it was called for. */
async function openPager() {
  const called: string[] = []
  const server = createServer(async (request, answer) => {
    let body = ''
    for await (const part of request) body += part
    const { alerts } = JSON.parse(body) as {
      alerts: { status: string; labels: { alertname: string } }[]
    }
    for (const { status, labels } of alerts) called.push(`${labels.alertname} ${status}`)
    answer.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    called,
    url: `http://${HOST}:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** By Debian's Prometheus and Alertmanager on the machine, all in one shell as the page says. */
export async function followMonitoring({ machine, pages, run }: Walk): Promise<void> {
  await using pager = await openPager()
  const fences = SECTIONS.flatMap((section) => pages.take(PAGE, section))
  const text = fences.map((fence) => fence.text).join('\n')
  const at = fences.map((fence) => fence.at).join(', ')
  const [first] = fences
  if (!first) throw new Error('the page is empty')
  const said = await run({ ...first, text, at }, (commands) => commands.replace(CALL, pager.url))
  expect(said).toContain('purser_database_up 1')
  expect(said).toMatch(/SUCCESS: \d+ rules found/)
  await until(
    () => pager.called,
    (called) => called.includes('Try firing'),
  )
  expect(pager.called).not.toContain('PurserDown firing')
  await machine.run('systemctl stop purser')
  await until(
    () => pager.called,
    (called) => called.includes('PurserDown firing'),
    { longestMs: 400_000 },
  )
  await machine.run('systemctl start purser')
  await untilReady(machine)
}
