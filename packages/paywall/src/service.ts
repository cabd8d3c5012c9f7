import { PurserError } from '@purser/sdk'
import { fromBase64, type HmacKey, hmacKey } from './bytes.ts'
import type { Texts } from './demand.ts'
import type { PaywallOptions, Service } from './options.ts'

/** The parts that every demand of a seller is made of. */
export type Terms = {
  payTo: string
  issuer: string
  network: string
  networkV1: string | null
  chainId: number
  asset: { symbol: string; contract: string; decimals: number; name: string; version: string }
  isOnChain: boolean
  minOnChain: bigint
  uptoFacilitator: string | null
  cardLink: string | null
  /** The texts of demands that were made of these terms. */
  texts: Map<string, Texts>
  /** Binds the challenges of MPP. */
  key: HmacKey
}

/** A payment as the service takes it. */
export type PaymentBody = {
  x402?: { x402Version: number; paymentPayload: object; paymentRequirements: object }
  mpp?: { credential: string; amount: string; digest?: string }
}

export type Receipt = {
  settlement_id: string | null
  transaction: string | null
  payer: string
  amount: string
  settled_at: string | null
}
export type Claim = {
  status: 'claimed' | 'paid' | 'settling' | 'busy' | 'used' | 'refused'
  id: string | null
  payer: string | null
  reason: string | null
  detail: string | null
  retry_seconds: number | null
  receipt: Receipt | null
  is_answer_kept: boolean
  answer: string | null
}
export type Settled = {
  status: 'settled' | 'pending' | 'refused'
  is_first: boolean
  reason: string | null
  detail: string | null
  receipt: Receipt | null
  answer: string | null
}

/** The service gave no answer that can be relied on: nobody is let in for it. */
export class ServiceSilent extends Error {
  override readonly name = 'ServiceSilent'
  /** Seconds after which the same request may succeed. */
  readonly retrySeconds: number
  /** The service refused for now, in its own words; else it is out of reach. */
  readonly rationed: { code: string; detail: string } | undefined
  constructor(cause: unknown) {
    super('The payment service gave no answer that can be relied on.', { cause })
    const isRation = cause instanceof PurserError && cause.status === 429
    this.rationed = isRation ? { code: cause.code, detail: cause.message } : undefined
    this.retrySeconds = isRation ? 5 : 2
  }
}

/** The calls of a paywall. Each throws `ServiceSilent` unless the service gave the answer of that call. */
export type Till = ReturnType<typeof openTill>

const TERMS_MS = 60_000
/** How long a request waits for new terms while the old ones would do. */
const RENEW_MS = 1_000

export function openTill(service: Service, options: PaywallOptions) {
  const call = callWith(service, options)
  let terms: { value: Terms; until: number } | undefined
  // Each request awaits its own call: a worker ends a call with the request that made it, and all who share it would wait for ever.
  const readTerms = async (ms?: number) => {
    const body = options.card === undefined ? {} : { card_id: options.card }
    const value = termsOf(await call('/api/paywall', { body, ...(ms && { ms }) }))
    terms = { value, until: performance.now() + TERMS_MS }
    return terms
  }

  return {
    /** The terms, at most a minute old; older ones if the service gives no new ones at once. */
    async terms(): Promise<Terms> {
      if (!terms) return (await readTerms()).value
      if (performance.now() > terms.until) {
        // All others go on with those that are here.
        terms.until = performance.now() + TERMS_MS
        await readTerms(RENEW_MS).catch((error) => options.onError?.(error))
      }
      return terms.value
    },
    async claim(body: object): Promise<Claim> {
      const answer = await call('/api/paywall/payments', { body })
      const { status, id } = answer
      const isOne = ['claimed', 'paid', 'settling', 'busy', 'used', 'refused'].includes(
        String(status),
      )
      if (!isOne || (status !== 'refused' && !isText(id))) throw new ServiceSilent(answer)
      return answer as Claim
    },
    async settle(id: string, body: object): Promise<Settled> {
      const answer = await call('/api/paywall/payments/{id}/settle', {
        params: { path: { id } },
        body,
      })
      const { status, receipt, is_first: isFirst } = answer
      const isOne = ['settled', 'pending', 'refused'].includes(String(status))
      const isWhole = status !== 'settled' || (isReceipt(receipt) && typeof isFirst === 'boolean')
      if (!isOne || !isWhole) throw new ServiceSilent(answer)
      return answer as Settled
    },
    async release(id: string, attempt: string, ms?: number): Promise<void> {
      try {
        const init = {
          params: { path: { id } },
          body: { attempt },
          ...(ms !== undefined && { ms }),
        }
        await call('/api/paywall/payments/{id}/release', init)
      } catch (error) {
        if (!(error instanceof ServiceSilent)) throw error
        // The lease ends by itself.
        options.onError?.(error)
      }
    },
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isReceipt = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'amount' in value && isText(value.amount)

type Init = { body: object; params?: { path: { id: string } }; ms?: number }
type Calls = (path: string, init: object) => Promise<Record<string, unknown>>

/**
 * Calls the service. A redirect is no answer: another host could say that a payment was taken. Repeated calls are known by
 * the attempt in their body, so the key that the client adds is left out, and costs the service no row.
 */
function callWith(service: Service, options: PaywallOptions) {
  const { fetch = globalThis.fetch, serviceMs = 30_000 } = options
  const send = (request: Request, init?: RequestInit): Promise<Response> => {
    request.headers.delete('idempotency-key')
    // Workers know no 'error'. A status of 300 to 399 is an error of the SDK.
    return fetch(request, { ...init, redirect: 'manual' })
  }
  const post = service.POST as unknown as Calls
  return async (
    path: string,
    { ms = serviceMs, ...init }: Init,
  ): Promise<Record<string, unknown>> => {
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(), ms)
    try {
      return await post(path, { ...init, fetch: send, signal: stop.signal })
    } catch (error) {
      throw new ServiceSilent(error)
    } finally {
      clearTimeout(timer)
    }
  }
}

function termsOf(answer: Record<string, unknown>): Terms {
  const asset = answer.asset as Terms['asset']
  const secret = fromBase64(String(answer.challenge_key))
  if (secret?.length !== 32 || !/^0x[0-9a-fA-F]{40}$/.test(String(answer.wallet_address)))
    throw new ServiceSilent(answer)
  return {
    payTo: String(answer.wallet_address),
    issuer: String(answer.issuer),
    network: String(answer.network),
    networkV1: answer.network_v1 as string | null,
    chainId: Number(answer.chain_id),
    asset,
    isOnChain: answer.is_on_chain === true,
    minOnChain: BigInt(String(answer.min_on_chain)),
    uptoFacilitator: answer.upto_facilitator as string | null,
    cardLink: answer.card_link as string | null,
    texts: new Map(),
    key: hmacKey(secret),
  }
}
