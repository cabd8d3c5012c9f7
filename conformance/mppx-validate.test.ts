import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHECKS } from './mppx-checks.ts'
import { mppxCli } from './parties/clients.ts'
import { openWallet } from './parties/payers.ts'
import { PRICE_USD } from './parties/servers.ts'
import { openLink, openStage, type Stage } from './stage.ts'

const TEST_MS = 900_000

type Check = { label: string; severity: string; detail?: string; hint?: string }
type Report = {
  discovery: { checks: Check[] }
  endpoints: { challenge: Check[]; errorHandling: Check[]; payment: Check[] }[]
  summary: { passed: number; failed: number; warnings: number; suggested: number; skipped: number }
}

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
}, TEST_MS)
afterAll(() => stage[Symbol.asyncDispose]())

test('mppx validate finds nothing wrong with a pay link, and pays it', {
  timeout: TEST_MS,
}, async () => {
  const link = await openLink(stage, PRICE_USD)
  const path = new URL(link.url).pathname
  const args = ['validate', stage.baseUrl, '--yes', '--output-json', '--endpoint', `GET:${path}`]
  const { code, stdout, stderr } = await mppxCli(args, await openWallet(stage.w))
  const { discovery, endpoints, summary } = JSON.parse(stdout) as Report
  const checks = [
    ...discovery.checks,
    ...endpoints.flatMap((endpoint) => [
      ...endpoint.challenge,
      ...endpoint.errorHandling,
      ...endpoint.payment,
    ]),
  ]
  expect(checks.filter(({ severity }) => severity !== 'pass')).toEqual([])
  expect(summary).toMatchObject({ failed: 0, warnings: 0, skipped: 0 })
  expect(code, stderr).toBe(0)
  expect(checks.map(({ label }) => label)).toEqual(CHECKS)
  expect(await link.received()).toBe(0.00995)
  expect(await stage.w.faults()).toEqual([])
})
