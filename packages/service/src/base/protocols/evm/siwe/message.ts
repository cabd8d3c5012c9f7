import type { Address } from '../../../kernel/assets.ts'

/** The fields of an EIP-4361 message that this service uses. */
export type SiweMessage = {
  /** Host and port of the site that asks. Any RFC 3986 authority, including a bare host name or an IPv6 address. */
  readonly domain: string
  readonly uri: string
  /** Checksummed. */
  readonly address: Address
  /** Must be one line. */
  readonly statement: string
  readonly chainId: number
  /** At least 8 letters and digits. */
  readonly nonce: string
  readonly issuedAt: Date
  readonly expirationTime: Date
}

/** The text that the wallet signs. */
export const formatSiweMessage = (message: SiweMessage): string =>
  `${message.domain} wants you to sign in with your Ethereum account:
${message.address}

${message.statement}

URI: ${message.uri}
Version: 1
Chain ID: ${message.chainId}
Nonce: ${message.nonce}
Issued At: ${message.issuedAt.toISOString()}
Expiration Time: ${message.expirationTime.toISOString()}`

/** The nonce in the text, if it has one. The nonce says which challenge is meant, and proves nothing. */
export const nonceOfSiweMessage = (text: string): string | undefined =>
  /^Nonce: ([A-Za-z0-9]{8,64})$/m.exec(text)?.[1]
