/** The database is put back to a backup, and clients repeat what they were answered. */
import { randomHex } from '../../packages/service/src/base/kernel/secrets.ts'
import { balanceOf } from '../../packages/service/test/crash/chain-wallet.ts'
import { ask } from '../../packages/service/test/crash/client.ts'
import type { Stage } from '../../packages/service/test/crash/stage.ts'
import { pause, until } from '../../packages/service/test/until.ts'
import type { Act } from '../act.ts'
import { compare, insist, openShop, pay, type Shop, startLoad } from '../load.ts'
import { killMachine, startMachine, untilServed } from '../machines.ts'

const PAID_AFTER = 12
const WITHDRAWN = 5
const OUT_MS = 90_000

export const RESTORE: Act = {
  name: 'restore',
  summary:
    'backup, payments and a withdrawal, kill, restore, start held, and every request repeated',
  goal: 'nothing paid twice, other payouts held meanwhile, all that the backup lacks named, 0 lost in the end',
  async play(drill) {
    await drill.close()
    const stage = await drill.ownStage('restore')
    const [port = 0] = drill.ports
    await must(stage, ['migrate'])
    await using machines = new AsyncDisposableStack()
    const start = async () => {
      const machine = machines.use(await startMachine(stage, port))
      await untilServed(stage)
      return machine
    }
    let machine = await start()
    const shop = await openShop(stage, 2)
    await using load = startLoad(shop)
    await pause(2_000)
    await load.stop()
    const [file, anchors] = [`${stage.folder}/drill.backup`, `${stage.folder}/anchors.jsonl`]
    await must(stage, ['backup', file])

    const after = []
    for (let i = 0; i < PAID_AFTER; i++) after.push(await pay(shop, i % 2))
    const first = withdrawal(shop, 0)
    const asked = await ask(stage.baseUrl, first.request)
    if (asked?.status !== 200) throw new Error(`withdraw: ${JSON.stringify(asked)}`)
    const once = await until(
      () => balanceOf(stage.rpcUrl, first.payee),
      (units) => units > 0n,
      { everyMs: 250, longestMs: OUT_MS },
    )
    await must(stage, ['anchor', '--file', anchors])

    await killMachine(machine)
    await drill.cluster.sql('drop database restore with (force)')
    await drill.cluster.sql('create database restore')
    await must(stage, ['restore', file])
    const missing = await findMissing(
      stage,
      after.map(({ settlement }) => settlement ?? ''),
    )
    machine = await start()
    const faults = await lookAtShortage(stage, { shop, anchors })

    // Clients do not know that the service has forgotten them: they repeat by the same keys.
    for (const payment of after) await insist(shop, payment)
    await complete(stage, first.request)
    const twice = await balanceOf(stage.rpcUrl, first.payee)
    // Books and chain are compared every five minutes, and by a start at once.
    await killMachine(machine)
    machine = await start()
    const second = withdrawal(shop, 1)
    await complete(stage, second.request)
    const third = await balanceOf(stage.rpcUrl, second.payee)
    const compared = await compare(shop)
    await killMachine(machine)
    if (twice !== once) faults.push(`the withdrawal was paid out ${twice} of ${once}: twice`)
    if (third !== once) faults.push(`a new withdrawal was paid out ${third} of ${once}`)
    if (missing.length !== PAID_AFTER)
      faults.push(`${missing.length} of ${PAID_AFTER} payments after the backup are not in it`)
    return {
      answered: shop.payments.length,
      ...{ lost: compared.lost.length, doubled: compared.doubled.length },
      note: `${missing.length} payments and 1 withdrawal were not in the backup: verify named the withdrawal and the anchor, other payouts were held, and each was repeated by its key and paid once`,
      faults: [...compared.faults, ...faults],
    }
  },
}

async function must(stage: Stage, args: string[]): Promise<string> {
  const { code, output } = await stage.command(args)
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${output.slice(-1500)}`)
  return output
}

function withdrawal(shop: Shop, payer: number) {
  const payee = randomHex(20)
  const headers = {
    authorization: `Bearer ${shop.payers[payer]?.key}`,
    'idempotency-key': randomHex(12),
  }
  const body = { amount: WITHDRAWN, to_address: payee }
  return { payee, request: { method: 'POST', path: '/api/withdraw', body, headers } }
}

/** After the restore, before anybody has repeated anything: what is missing is named, and nothing else leaves. */
async function lookAtShortage(
  stage: Stage,
  { shop, anchors }: { shop: Shop; anchors: string },
): Promise<string[]> {
  const other = withdrawal(shop, 1)
  const reply = await until(
    () => ask(stage.baseUrl, other.request),
    (seen) => seen !== undefined,
    { everyMs: 250 },
  )
  const payouts = await stage.command(['payouts'])
  const verified = await stage.command(['verify', '--anchor', anchors])
  return [
    ...(reply?.body.code === 'payouts_held'
      ? []
      : [`a payout while money was missing: ${JSON.stringify(reply)}`]),
    ...(payouts.output.includes('are held') ? [] : [`payouts said: ${payouts.output}`]),
    ...(/USDC are missing/.test(verified.output) && /was set back/.test(verified.output)
      ? []
      : [`verify named less than is missing: ${verified.output.slice(0, 1500)}`]),
  ]
}

/** Asks until it is answered, and waits for the money to arrive. */
async function complete(stage: Stage, request: Parameters<typeof ask>[1]): Promise<void> {
  const reply = await until(
    () => ask(stage.baseUrl, request),
    (seen) => seen !== undefined && seen.status < 500,
    { everyMs: 500, longestMs: OUT_MS },
  )
  await until(
    () =>
      stage.query<{ status: string }>('select status from withdrawals where id = $1', [
        reply?.body.withdrawal_id,
      ]),
    ([row]) => row?.status === 'COMPLETED',
    { everyMs: 250, longestMs: OUT_MS },
  )
}

/** Those that the books do not have. */
async function findMissing(stage: Stage, ids: string[]): Promise<string[]> {
  const text = 'select id from settlements where id = any($1)'
  const known = new Set((await stage.query<{ id: string }>(text, [ids])).map(({ id }) => id))
  return ids.filter((id) => !known.has(id))
}
