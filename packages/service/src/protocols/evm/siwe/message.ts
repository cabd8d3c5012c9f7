import type { Address } from '../../../kernel/assets.ts'

/** What an EIP-4361 message says, as far as this service says anything. */
export type SiweMessage = {
  /** Host and port of the site that asks. Any authority of RFC 3986, so also a bare host name or an IPv6 address. */
  readonly domain: string
  readonly uri: string
  /** Checksummed. */
  readonly address: Address
  /** One line. */
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

/** The nonce that a text names, if it names one. It says which challenge is meant, and nothing about its truth. */
export const nonceOfSiweMessage = (text: string): string | undefined =>
  /^Nonce: ([A-Za-z0-9]{8,64})$/m.exec(text)?.[1]
