import { open, type SealKeys, seal } from '../../base/kernel/secrets.ts'
import type { Agreement } from './agreement.ts'

/** The open mandate of an agreement, sealed for its row. */
export const sealMandate = (
  sealKey: SealKeys,
  { openId, token }: { openId: string; token: string },
): Buffer => seal(sealKey, token, mandateContext(openId))

/** The open mandate of an agreement. Throws if it was sealed under another secret of the service. */
export const unsealMandate = (
  sealKey: SealKeys,
  { openId, sealedMandate }: { openId: string; sealedMandate: Buffer },
): string => open(sealKey, sealedMandate, mandateContext(openId))

export const mandateContext = (openId: string): string => `open mandate ${openId}`

/** The parts of an agreement that only one with an open mandate has. */
export type Funded = { openId: string; sealedMandate: Buffer; kid: string; sealedKey: Buffer }

/** The open mandate and the key of an agreement; undefined for one that is not funded by a mandate. */
export function fundingOf({
  openId,
  sealedMandate,
  kid,
  sealedKey,
}: Pick<Agreement, keyof Funded>): Funded | undefined {
  if (openId === null || sealedMandate === null || kid === null || sealedKey === null)
    return undefined
  return { openId, sealedMandate, kid, sealedKey }
}
