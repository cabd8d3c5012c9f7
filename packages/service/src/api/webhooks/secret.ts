import { open, randomToken, type SealKeys, seal } from '../../base/kernel/secrets.ts'
import { SECRET_PREFIX } from './signature.ts'

/** A new signing secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks, "Signature scheme"). */
export const newSecret = (): string =>
  `${SECRET_PREFIX}${Buffer.from(randomToken(), 'base64url').toString('base64')}`

export const sealSecret = (sealKey: SealKeys, webhookId: string, secret: string): Buffer =>
  seal(sealKey, secret, webhookContext(webhookId))

/** The sealed secrets of a webhook, as its row holds them. */
export type SealedSecrets = {
  id: string
  secret: Buffer
  previousSecret: Buffer | null
  previousUntil: Date | null
}

/** The secrets that sign a delivery now, newest first: after a rotation the previous one too, until its time is over. */
export function liveSecrets(sealKey: SealKeys, at: Date, of: SealedSecrets): string[] {
  const { id, secret, previousSecret, previousUntil } = of
  const isLive = previousSecret !== null && previousUntil !== null && previousUntil > at
  return [secret, ...(isLive ? [previousSecret] : [])].map((one) =>
    open(sealKey, one, webhookContext(id)),
  )
}

export const webhookContext = (webhookId: string): string => `webhook secret ${webhookId}`
