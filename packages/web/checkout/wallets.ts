/** A browser wallet's provider (EIP-1193). */
export type Provider = {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>
}
/** `rpcUrl` is empty if this page knows no public one. */
export type Chain = { id: number; name: string; rpcUrl: string; explorerUrl: string }
/** `icon` is a picture within its own address (data:), or none. */
export type Wallet = { name: string; icon?: string; provider: Provider }

type Announcement = CustomEvent<{
  info: { uuid: string; name: string; icon?: string }
  provider: Provider
}>
declare global {
  interface Window {
    ethereum?: Provider
  }
  interface WindowEventMap {
    'eip6963:announceProvider': Announcement
  }
}

/** How long wallets may take to announce themselves. Then the older `window.ethereum` is tried. */
const ANNOUNCE_MS = 250

/** A picture that asks nobody for anything. As an image it runs nothing either. */
const ICON = /^data:image\/(?:png|svg\+xml|webp|gif|jpeg)[;,]/
const ICON_MAX_CHARACTERS = 200_000

const iconOf = (icon: unknown): { icon?: string } =>
  typeof icon === 'string' && icon.length <= ICON_MAX_CHARACTERS && ICON.test(icon) ? { icon } : {}

/** Calls `found` with the wallets of this browser, again whenever one more announces itself (EIP-6963). */
export function watchWallets(found: (wallets: Wallet[]) => void): void {
  const wallets = new Map<string, Wallet>()
  window.addEventListener('eip6963:announceProvider', ({ detail }) => {
    if (wallets.has(detail.info.uuid)) return
    wallets.set(detail.info.uuid, {
      name: detail.info.name.slice(0, 40),
      ...iconOf(detail.info.icon),
      provider: detail.provider,
    })
    found([...wallets.values()])
  })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  setTimeout(() => {
    if (wallets.size > 0) return
    found(window.ethereum ? [{ name: 'your browser wallet', provider: window.ethereum }] : [])
  }, ANNOUNCE_MS)
}

const USER_REJECTED = 4001
const REQUEST_PENDING = -32002
const UNKNOWN_CHAIN = 4902

const codeOf = (error: unknown): number | undefined => {
  const { code, data } = (error ?? {}) as {
    code?: number
    data?: { originalError?: { code?: number } }
  }
  return data?.originalError?.code ?? code
}

/** A wallet's refusal, in words for the person. */
export function wordsOf(error: unknown, end = 'Nothing was paid.'): string {
  const code = codeOf(error)
  if (code === USER_REJECTED) return `You declined in the wallet. ${end}`
  if (code === REQUEST_PENDING)
    return 'The wallet has a question open already. Answer it there, then try again.'
  const message = (error as { message?: unknown } | null)?.message
  return `The wallet refused: ${typeof message === 'string' && message ? message : 'it gave no reason'}. ${end}`
}

/** The account that pays, once the person has let this page see it. */
export async function connect(provider: Provider): Promise<string> {
  const [account] = (await provider.request({ method: 'eth_requestAccounts' })) as string[]
  if (!account) throw new Error('it shares no account with this page')
  return account
}

/** Brings the wallet to the chain, after `asking` if it has to ask the person, or throws with a reason that a person can act on. */
export async function switchChain(
  provider: Provider,
  chain: Chain,
  asking: () => void,
): Promise<void> {
  const isThere = async () => Number(await provider.request({ method: 'eth_chainId' })) === chain.id
  if (await isThere()) return
  asking()
  const chainId = `0x${chain.id.toString(16)}`
  const change = () =>
    provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  try {
    await change()
  } catch (error) {
    if (codeOf(error) !== UNKNOWN_CHAIN) throw error
    if (!chain.rpcUrl)
      throw new Error(
        `it does not know ${chain.name} (chain ${chain.id}). Add that network to it and try again`,
        { cause: error },
      )
    await provider.request({ method: 'wallet_addEthereumChain', params: [parametersOf(chain)] })
    // Some wallets switch to a chain that they have just added, others ask again.
    if (!(await isThere())) await change()
  }
}

/** A chain as EIP-3085 describes it to a wallet that does not know it. */
const parametersOf = ({ id, name, rpcUrl, explorerUrl }: Chain) => ({
  chainId: `0x${id.toString(16)}`,
  chainName: name,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: [rpcUrl],
  ...(explorerUrl ? { blockExplorerUrls: [explorerUrl] } : {}),
})
