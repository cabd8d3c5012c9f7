import type { Uses } from '../../../../api/http/services.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import { unsealMandate } from '../../../../members/agreements/sealed.ts'
import { findSealedMandates } from '../../../../members/agreements/store.ts'
import type { OpenMandate } from './store.ts'

/** The open mandates with their tokens. An agreement keeps its own sealed. */
export async function unsealTokens(
  { db, sealKey }: Uses<'db' | 'sealKey'>,
  opens: readonly OpenMandate[],
): Promise<(OpenMandate & { token: string })[]> {
  const ids = opens.filter(({ token }) => token === null).map(({ openId }) => openId)
  const sealed = await findSealedMandates(db.reader, ids)
  return opens.map((open) => {
    if (open.token !== null) return { ...open, token: open.token }
    const sealedMandate = sealed.get(open.openId)
    assert(sealedMandate, 'an agreement keeps the open mandate')
    return { ...open, token: unsealMandate(sealKey, { openId: open.openId, sealedMandate }) }
  })
}
