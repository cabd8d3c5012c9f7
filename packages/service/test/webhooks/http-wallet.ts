import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

export type Ask = (method: string, path: string, body?: unknown) => Promise<any>

/** A wallet of a service that listens there, a new one if none is given, and how to ask as it. */
export async function openWallet(
  baseUrl: string,
  account = privateKeyToAccount(generatePrivateKey()),
): Promise<{
  wallet: string
  apiKey: string
  ask: Ask
}> {
  const asking =
    (key?: string): Ask =>
    async (method, path, body) => {
      const answer = await fetch(`${baseUrl}${path}`, {
        method,
        headers: {
          ...(key ? { authorization: `Bearer ${key}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return JSON.parse(text)
    }
  const ask = asking()
  const { message } = await ask('POST', '/api/auth/challenge', { wallet_address: account.address })
  const signature = await account.signMessage({ message })
  const { token } = await ask('POST', '/api/auth/verify', { message, signature })
  const { api_key } = await asking(token)('POST', '/api/keys/generate')
  return { wallet: account.address, apiKey: api_key, ask: asking(api_key) }
}
