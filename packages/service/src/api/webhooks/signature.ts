import { createHmac } from 'node:crypto'

/** How a secret begins; base64 of the key follows (Standard Webhooks, "Signature scheme"). */
export const SECRET_PREFIX = 'whsec_'

type Signed = {
  eventId: string
  /** Real time, whatever the development clock says: receivers refuse old signatures. */
  sentAt: Date
  body: Buffer
  /** The texts of the live secrets, newest first. */
  secrets: readonly string[]
}

/**
 * The headers that prove a delivery, with one signature for each live secret: those of Standard Webhooks, signed with the
 * decoded key, and `Purser-Signature`, signed with the whole text of the secret.
 */
export function signatureHeaders({ eventId, sentAt, body, secrets }: Signed) {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000))
  const sign = (key: string | Buffer, head: string) =>
    createHmac('sha256', key).update(head).update(body)
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    return `v1,${sign(key, `${eventId}.${timestamp}.`).digest('base64')}`
  })
  const own = secrets.map((secret) => `v1=${sign(secret, `${timestamp}.`).digest('hex')}`)
  return {
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
    'purser-signature': [`t=${timestamp}`, ...own].join(','),
  }
}
