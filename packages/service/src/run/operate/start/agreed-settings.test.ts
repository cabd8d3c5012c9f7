import { afterEach, expect, test } from 'vitest'
import { place, run, stopPrograms } from '../../../../test/actors/program.ts'
import { ownPort } from '../../../../test/run/own-port.ts'
import { testChain } from '../../../../test/world/chain.ts'
import { freshDatabase } from '../../../../test/world/postgres.ts'
import { randomHex } from '../../../base/kernel/secrets.ts'
import { DEV_MARKET, DEV_REVENUE } from '../../embedded/dev/market.ts'

afterEach(stopPrograms)

test('a machine with other settings is refused with the name of what differs, until they are accepted', async () => {
  const database = await freshDatabase()
  const env = {
    ...(await place()),
    DATABASE_URL: database.url,
    PURSER_RPC_URL: testChain().rpcUrl,
    PURSER_OPERATOR_KEY: randomHex(32),
    PURSER_RELAYER_KEYS: randomHex(32),
    PURSER_SECRET: randomHex(32).slice(2),
    PUBLIC_URL: 'https://pay.example.com',
  }
  const others: Record<string, string> = {
    PURSER_SECRET: randomHex(32).slice(2),
    PURSER_OPERATOR_KEY: randomHex(32),
    PURSER_RELAYER_KEYS: randomHex(32),
    PUBLIC_URL: 'https://pay.example.org',
    PURSER_FEE_BPS: '75',
    PURSER_FEE_FLAT: '0.01',
    PURSER_WITHDRAWAL_FEE: '0.1',
    PURSER_WITHDRAWAL_MINIMUM: '2',
    PURSER_PAYOUT_DAILY_CAP_WALLET: '500',
    PURSER_PAYOUT_DAILY_CAP: '2000',
    PURSER_PAYOUT_ADDRESS_DELAY: '24h',
    PURSER_PAYOUT_APPROVAL_ABOVE: '100',
    PURSER_FACILITATOR_PAY_TO: 'wallet',
    PURSER_CREDENTIAL_MARKET: DEV_MARKET,
    PURSER_REVENUE_ADDRESS: DEV_REVENUE,
    PURSER_CREDIT_LEVELS: '0:finalized',
  }
  try {
    const first = run([], env)
    await first.says('"msg":"ready"')

    const all = run([], { ...env, ...others, PORT: String(await ownPort()) })
    expect(await all.exited).toBe(1)
    expect(all.complaint).toContain('Other machines of this database have other settings')
    for (const name of Object.keys(others)) expect(all.complaint).toContain(`${name} is `)
    expect(all.complaint).toContain('PURSER_FEE_BPS is 75, there 50')
    expect(all.complaint).toContain('purser settings accept')
    for (const secret of [env.PURSER_SECRET, others.PURSER_SECRET ?? '']) {
      expect(all.complaint).not.toContain(secret)
      expect(all.out).not.toContain(secret)
    }

    const meant = { ...env, PURSER_FEE_BPS: '75' }
    const asked = run(['settings', '--json'], meant)
    expect(await asked.exited).toBe(1)
    expect(JSON.parse(asked.out)).toEqual({
      same: false,
      different: [{ name: 'PURSER_FEE_BPS', agreed: '50', here: '75' }],
    })
    await first.stop()
    const accepted = run(['settings', 'accept'], meant)
    expect([await accepted.exited, accepted.complaint]).toEqual([0, ''])
    const changed = run([], meant)
    await changed.says('"msg":"ready"')
    await changed.stop()
    const old = run([], env)
    expect(await old.exited).toBe(1)
    expect(old.complaint).toContain('PURSER_FEE_BPS is 50, there 75')
  } finally {
    await stopPrograms()
    await database.drop()
  }
})
