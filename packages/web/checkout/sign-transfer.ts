import type { Provider } from './wallets.ts'

const TYPES = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
}
/** Blocks may lag the service's clock, so the authorization is valid from a time before now. */
const SLACK_SECONDS = 600

/** A transfer that anybody may carry out once (EIP-3009). Numbers are decimal text, times are Unix seconds. */
export type Authorization = {
  from: string
  to: string
  value: string
  validAfter: string
  validBefore: string
  nonce: string
}
type Domain = { name: string; version: string; chainId: number; verifyingContract: string }

/** Makes the wallet sign a transfer that is good for so many seconds. Without a signature the wallet gave none that can be used. */
export async function signTransfer(
  provider: Provider,
  of: Pick<Authorization, 'from' | 'to' | 'value'> & {
    now: number
    seconds: number
    domain: Domain
  },
): Promise<{ authorization: Authorization; signature: string | undefined }> {
  const { from, to, value, now, seconds } = of
  const { name, version, chainId, verifyingContract } = of.domain
  const nonce = crypto.getRandomValues(new Uint8Array(32))
  const authorization = {
    ...{ from, to, value },
    validAfter: String(now - SLACK_SECONDS),
    validBefore: String(now + seconds),
    nonce: `0x${[...nonce].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`,
  }
  const typedData = {
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    domain: { name, version, chainId, verifyingContract },
    message: authorization,
  }
  const signature = await provider.request({
    method: 'eth_signTypedData_v4',
    params: [from, JSON.stringify(typedData)],
  })
  // A contract of several owners may collect their signatures for hours, and answer with none.
  const isSigned = typeof signature === 'string' && /^0x(?:[0-9a-f]{2}){64,}$/i.test(signature)
  return { authorization, signature: isSigned ? signature : undefined }
}
