/** A machine that is not as the others: by its clock, or by its settings. */
import { randomHex } from '../../packages/service/src/base/kernel/secrets.ts'
import { pause } from '../../packages/service/test/until.ts'
import { type Act, outcomeOf } from '../act.ts'
import { compare, payAtBoth, startLoad } from '../load.ts'
import { isReady, isServing, startMachine, stopMachine } from '../machines.ts'
import { run } from '../programs.ts'

const AHEAD_SECONDS = 180
const AT_BOTH = 40
const LONG_MS = 3_000

/** Has a program's clock go ahead. Timers count as before. */
function aheadBy(seconds: number): Record<string, string> {
  const files = run('dpkg', ['-L', 'libfaketime']).split('\n')
  const library = files.find((file) => file.endsWith('/libfaketime.so.1'))
  if (!library) throw new Error('Debian’s libfaketime is not here.')
  return {
    LD_PRELOAD: library,
    FAKETIME: `+${seconds}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
}

const clock: Act = {
  name: 'clock-ahead',
  summary: `a machine whose clock is ${AHEAD_SECONDS / 60} minutes ahead, and payments by one key at it and at the others`,
  goal: '0 lost, 0 doubled, each key one payment, and it is not ready',
  async play(drill) {
    const { stage, shop } = await drill.open()
    const port = drill.ports.at(-1) as number
    await using ahead = await startMachine(stage, port, {
      env: aheadBy(AHEAD_SECONDS),
      isUp: isServing,
    })
    const aside = { ...shop, stage: { ...stage, baseUrl: ahead.url } }
    const said = new Date((await fetch(`${ahead.url}/healthz`)).headers.get('date') ?? 0)
    const apart = Math.round((said.getTime() - Date.now()) / 1000)
    await using load = startLoad(shop)
    await using own = startLoad({ ...aside, payers: shop.payers.slice(0, 2) })
    const faults: string[] = []
    for (let i = 0; i < AT_BOTH; i++)
      faults.push(...(await payAtBoth(shop, aside, i % shop.payers.length)))
    const [measured, also] = [await load.stop(), await own.stop()]
    if (await isReady(ahead)) faults.push('it says that it is ready')
    await stopMachine(ahead)
    if (apart < AHEAD_SECONDS - 5) faults.push(`its clock was ahead by ${apart} s only`)
    return outcomeOf(measured, await compare(shop), {
      note: `${also.answered} at the machine that was ${apart} s ahead, ${AT_BOTH} keys at it and at another at once`,
      own: [...faults, ...also.faults],
    })
  },
}

const settings: Act = {
  name: 'other-settings',
  summary: 'machines with another secret, or another public address, are refused at their start',
  goal: 'refused by name, 0 failed requests',
  async play(drill) {
    const { stage, shop } = await drill.open()
    const port = drill.ports.at(-1) as number
    await using load = startLoad(shop)
    const faults: string[] = []
    const others = [
      {
        name: 'PURSER_SECRET',
        value: randomHex(32).slice(2),
        says: 'is another one than that of this database',
      },
      { name: 'PUBLIC_URL', value: 'http://127.0.0.1:1', says: 'have other settings' },
    ]
    for (const { name, value, says } of others) {
      const refusal = await startMachine(stage, port, { env: { [name]: value } }).then(
        async (machine) => {
          await stopMachine(machine)
          return 'it started'
        },
        (error: Error) => error.message,
      )
      if (!refusal.includes(says) || !refusal.includes(name))
        faults.push(`another ${name}: ${refusal.slice(-400)}`)
    }
    await pause(LONG_MS)
    const measured = await load.stop()
    if (measured.failed > 0) faults.push(`${measured.failed} requests failed`)
    return outcomeOf(measured, await compare(shop), {
      note: `another ${others.map(({ name }) => name).join(' and another ')} are refused by name`,
      own: faults,
    })
  },
}

export const APART_ACTS: Act[] = [clock, settings]
