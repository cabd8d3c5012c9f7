/** A machine that is not as the others: by its clock, or by its settings. */
import { randomHex } from '../../packages/service/src/base/kernel/secrets.ts'
import { pause } from '../../packages/service/test/until.ts'
import { type Act, outcomeOf } from '../act.ts'
import { compare, payAtBoth, startLoad } from '../load.ts'
import { isReady, isServing, startMachine, stopMachine } from '../machines.ts'
import { run } from '../programs.ts'

const HOUR = 3_600
const APART = [HOUR, -HOUR, 24 * HOUR, -24 * HOUR]
const AT_BOTH = 10
const LONG_MS = 3_000

/** Has a program's clock be ahead, or behind if negative. Timers count as before. */
function apartBy(seconds: number): Record<string, string> {
  const files = run('dpkg', ['-L', 'libfaketime']).split('\n')
  const library = files.find((file) => file.endsWith('/libfaketime.so.1'))
  if (!library) throw new Error('Debian’s libfaketime is not here.')
  return {
    LD_PRELOAD: library,
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
}

const clocks: Act = {
  name: 'clocks',
  summary:
    'machines whose clock is an hour or a day ahead or behind, and payments by one key at them and at the others',
  goal: '0 lost, 0 doubled, each key one payment, and none of them is ready',
  async play(drill) {
    const { stage, shop } = await drill.open()
    await using load = startLoad(shop)
    const faults: string[] = []
    let also = 0
    for (const seconds of APART) {
      await using machine = await startMachine(stage, drill.ports.at(-1) as number, {
        env: apartBy(seconds),
        isUp: isServing,
      })
      const aside = { ...shop, stage: { ...stage, baseUrl: machine.url } }
      const said = new Date((await fetch(`${machine.url}/healthz`)).headers.get('date') ?? 0)
      const apart = Math.round((said.getTime() - Date.now()) / 1000)
      if (Math.abs(apart - seconds) > 60) faults.push(`a clock was apart by ${apart} s`)
      await using own = startLoad({ ...aside, payers: shop.payers.slice(0, 2) })
      for (let i = 0; i < AT_BOTH; i++)
        faults.push(...(await payAtBoth(shop, aside, i % shop.payers.length)))
      const measured = await own.stop()
      also += measured.answered
      if (measured.answered === 0) faults.push(`nothing was paid at the machine ${seconds} s apart`)
      if (await isReady(machine))
        faults.push(`the machine ${seconds} s apart says that it is ready`)
      faults.push(...measured.faults)
      await stopMachine(machine)
    }
    const measured = await load.stop()
    return outcomeOf(measured, await compare(shop), {
      note: `${also} at machines that were an hour and a day ahead and behind, ${APART.length * AT_BOTH} keys at them and at another at once`,
      own: faults,
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

export const APART_ACTS: Act[] = [clocks, settings]
