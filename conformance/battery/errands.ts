import { until } from '../../packages/service/test/until.ts'
import type { ModeName } from './modes.ts'
import type { Heard, Payer } from './sdk-payer.ts'
import type { Asked } from './wire.ts'

const AGAIN_MS = 100
const REPEATS = 4

/** A purchase to be made: who makes it, where, and its name. */
export type Errand = { payer: Payer; url: string; key: string }

/** The ways of the caller, where they are more than to repeat its call until the end is known. */
export const ERRANDS: Partial<Record<ModeName, (errand: Errand) => Promise<string>>> = {
  async declared_safe(errand) {
    const said: string[] = []
    for (let i = 0; i < REPEATS; i++) said.push(await once(errand))
    return together(said)
  },
  'two at once': async (errand) => together(await Promise.all([once(errand), once(errand)])),
  async 'same key, other body'(errand) {
    const heard = await once(errand)
    const { payer, url, key } = errand
    const other = await payer.buy({ url: `${url}${url.includes('?') ? '&' : '?'}other`, key })
    return other.startsWith('refused') ? heard : `the other purchase was ${other}`
  },
  'no key': ({ payer, url }) => payer.buy({ url }),
}

/** Buys, and repeats the call under its name until its end is known. */
export const once = ({ payer, url, key }: Errand): Promise<Heard> =>
  until(
    () => payer.buy({ url, key }),
    (heard) => heard !== 'open' && heard !== 'lost',
    { everyMs: AGAIN_MS },
  )

export const together = (said: string[]): string => [...new Set(said)].join(' and ')

/** Whether a call to the service is a payment. */
export const isPay = ({ method, path }: Asked): boolean => method === 'POST' && path === '/api/pay'
