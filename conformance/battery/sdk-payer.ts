import { createPurser, PurserError } from '@purser/sdk'

/** How a call ended for its caller. `open`: it is not known yet; `lost`: no answer came that can be relied on. */
export type Heard = 'paid' | 'open' | 'lost' | `refused: ${string}`
export type Order = { url: string; key?: string | undefined }
export type Payer = {
  /** One call, as a program makes it. */
  buy(order: Order): Promise<Heard>
  close(): Promise<void>
}

export type Purse = {
  baseUrl: string
  apiKey: string
  card: { id: string; token: string }
  /** A call with its retries may take so long, where it is not given up early. */
  patienceMs?: number
}

export function sdkPayer(
  { baseUrl, apiKey, card }: Purse,
  { timeoutMs, maxAmount }: { timeoutMs: number; maxAmount?: string },
): Payer {
  const purser = createPurser({ baseUrl, apiKey, timeoutMs })
  return {
    async buy({ url, key }) {
      const ask = { url, method: 'GET', ...(maxAmount && { max_amount: maxAmount }) } as const
      try {
        const options = key === undefined ? {} : { idempotencyKey: key }
        return heardOf((await purser.pay(card, ask, options)).outcome)
      } catch (error) {
        if (!(error instanceof PurserError)) throw error
        return error.mayHaveHappened ? 'lost' : `refused: ${error.code}`
      }
    },
    close: async () => undefined,
  }
}

/** Money that was taken is reported as such, whether or not the seller served: the caller must not pay again. */
export function heardOf(outcome: string): Heard {
  if (outcome === 'paid' || outcome === 'seller_failed') return 'paid'
  return outcome === 'unknown' ? 'open' : `refused: ${outcome}`
}
