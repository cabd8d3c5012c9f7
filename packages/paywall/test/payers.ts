import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { PrivateKeyAccount } from 'viem/accounts'

export const NETWORK = 'eip155:84532'

/** The official client of x402 with a wallet. */
export const payByX402 = (account: PrivateKeyAccount, over: typeof fetch = fetch): typeof fetch =>
  wrapFetchWithPayment(
    over,
    new x402Client().register(NETWORK, new ExactEvmScheme(account)),
  ) as typeof fetch

/** A fetch that remembers the payment it carried, and sends it `times` at once; the first answer of status 200 counts. */
export function repeating(times: number) {
  const seen: { headers: Headers; answers: Response[] } = { headers: new Headers(), answers: [] }
  const over = (async (input: Request, init?: RequestInit) => {
    const request = new Request(input, init)
    const isPaid = ['payment-signature', 'x-payment', 'authorization'].some((name) =>
      request.headers.has(name),
    )
    if (!isPaid) return fetch(request)
    seen.headers = request.headers
    const all = Array.from({ length: times }, () => fetch(request.clone()))
    seen.answers = await Promise.all(all)
    return (seen.answers.find(({ status }) => status === 200) ?? seen.answers[0])?.clone()
  }) as typeof fetch
  return { over, seen }
}
