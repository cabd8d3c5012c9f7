import type { Address } from '../../../kernel/assets.ts'

/** The fields of an EIP-4361 message. Each takes one line; times are written as they were given. */
export type SiweFields = {
  /** Host and port of the site that asks. Any RFC 3986 authority, including a bare host name or an IPv6 address. */
  readonly domain: string
  readonly uri: string
  /** Checksummed. */
  readonly address: Address
  readonly statement?: string | undefined
  readonly chainId: number
  /** At least 8 letters and digits. */
  readonly nonce: string
  readonly issuedAt: string
  readonly expirationTime?: string | undefined
  readonly notBefore?: string | undefined
  readonly requestId?: string | undefined
  readonly resources?: readonly string[] | undefined
}

/** The text that the wallet signs. */
export function siweText(message: SiweFields): string {
  const { statement, expirationTime, notBefore, requestId, resources = [] } = message
  return [
    `${message.domain} wants you to sign in with your Ethereum account:`,
    message.address,
    '',
    ...(statement === undefined ? [''] : [statement, '']),
    `URI: ${message.uri}`,
    'Version: 1',
    `Chain ID: ${message.chainId}`,
    `Nonce: ${message.nonce}`,
    `Issued At: ${message.issuedAt}`,
    ...(expirationTime === undefined ? [] : [`Expiration Time: ${expirationTime}`]),
    ...(notBefore === undefined ? [] : [`Not Before: ${notBefore}`]),
    ...(requestId === undefined ? [] : [`Request ID: ${requestId}`]),
    ...(resources.length === 0 ? [] : ['Resources:', ...resources.map((one) => `- ${one}`)]),
  ].join('\n')
}

/** The fields that this service uses. */
export type SiweMessage = Pick<SiweFields, 'domain' | 'uri' | 'address' | 'chainId' | 'nonce'> & {
  readonly statement: string
  readonly issuedAt: Date
  readonly expirationTime: Date
}

export const formatSiweMessage = (message: SiweMessage): string =>
  siweText({
    ...message,
    issuedAt: message.issuedAt.toISOString(),
    expirationTime: message.expirationTime.toISOString(),
  })

/** The nonce in the text, if it has one. The nonce says which challenge is meant, and proves nothing. */
export const nonceOfSiweMessage = (text: string): string | undefined =>
  /^Nonce: ([A-Za-z0-9]{8,64})$/m.exec(text)?.[1]
