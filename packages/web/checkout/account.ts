import type { Chain, Provider } from './wallets.ts'

/** An amount as people read it: exact, with grouped thousands and two decimals at least where the asset has them. */
export function moneyText(value: bigint, decimals: number): string {
  const digits = value.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '')
  const shown = fraction.padEnd(Math.min(2, decimals), '0')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${shown && `.${shown}`}`
}

const BALANCE_OF = '0x70a08231'
const WORD = /^0x[0-9a-f]{64}$/i

/** The balance of the account in the token, in base units. Undefined if its wallet cannot say: the service asks again. */
async function balanceOf(
  provider: Provider,
  { account, token }: { account: string; token: string },
): Promise<bigint | undefined> {
  const data = `${BALANCE_OF}${account.slice(2).padStart(64, '0')}`
  const answer = await attempt(provider, 'eth_call', [{ to: token, data }, 'latest'])
  return WORD.test(answer ?? '') ? BigInt(answer ?? '') : undefined
}

/** The sentence for a person whose account has too little for the payment. */
export async function shortfall(
  provider: Provider,
  of: { account: string; token: string; value: bigint; chain: Chain; asset: Asset },
): Promise<string | undefined> {
  const has = await balanceOf(provider, of)
  if (has === undefined || has >= of.value) return undefined
  const { symbol, decimals } = of.asset
  const [have, needed] = [has, of.value].map((value) => moneyText(value, decimals))
  return `You have ${have} ${symbol} on ${of.chain.name}, and it needs ${needed}. Add money, or choose another account in the wallet. Nothing was paid.`
}
export type Asset = { symbol: string; decimals: number }

/** Code of a key that lends its address to a contract (EIP-7702). The key still signs. */
const DELEGATED = /^0xef0100/i

/** Whether a contract is at the account's address, so that its owners sign and it judges their signature (EIP-1271). */
export async function isContract(provider: Provider, account: string): Promise<boolean> {
  const code = await attempt(provider, 'eth_getCode', [account, 'latest'])
  return code !== undefined && /^0x[0-9a-f]{2}/i.test(code) && !DELEGATED.test(code)
}

/** A wallet may know neither question: then nothing is known before the signature. */
async function attempt(
  provider: Provider,
  method: string,
  params: unknown[],
): Promise<string | undefined> {
  try {
    const answer = await provider.request({ method, params })
    return typeof answer === 'string' ? answer : undefined
  } catch {
    return undefined
  }
}
