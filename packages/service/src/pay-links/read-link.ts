import { gather } from '../db/lanes/gather.ts'
import { perServices, type Services } from '../http/services.ts'
import { notFound } from '../kernel/problem.ts'
import { normalCode, type PayLink, readLinks } from './store.ts'

/** Links are looked at far more often than paid: callers of a moment share a read. */
const linkOf = perServices(({ db }) => gather((codes) => readLinks(db.reader, codes)))

export async function mustFindLink(services: Services, code: string): Promise<PayLink> {
  const link = await linkOf(services)(normalCode(code))
  if (!link) throw notFound('pay link')
  return link
}
