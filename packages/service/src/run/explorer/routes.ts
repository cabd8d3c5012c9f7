import { Type } from 'typebox'
import { type Answer, publicRoute, type Route } from '../../api/http/route.ts'
import type { Services } from '../../api/http/services.ts'
import type { Hex } from '../../base/kernel/assets.ts'
import { notFound } from '../../base/kernel/problem.ts'
import { readShownTransaction } from '../../chain/client/explore/transaction.ts'
import { asAddress } from '../../chain/client/reads.ts'
import { addressPage } from './address.ts'
import { readSite } from './names.ts'
import { missing } from './page.ts'
import { streamPage } from './stream.ts'
import { tokenPage } from './token.ts'
import { transactionPage } from './transaction.ts'

/** A decimal id, of less than 2^256. */
const STREAM = /^(0|[1-9]\d{0,76})$/
const HASH = /^0x[0-9a-fA-F]{64}$/

/** A page for people about the development chain. Elsewhere a public explorer has such pages. */
const explorerRoute = (
  kind: string,
  summary: string,
  show: (services: Services, ref: string) => Promise<Answer>,
): Route =>
  publicRoute({
    method: 'GET',
    path: `/explorer/${kind}/{ref}`,
    tag: 'Development',
    summary,
    params: Type.Object({
      ref: Type.String({ maxLength: 80, description: 'Id of what it belongs to' }),
    }),
    response: Type.Any(),
    attack: 'chain',
    costs: { statements: 400, rpc: 2_000 },
    errors: ['not_found', 'chain_unavailable'],
    hidden: true,
    handle: ({ params, services }) => {
      if (services.settings.embeddedRpcUrl === null) throw notFound('page')
      return show(services, params.ref)
    },
  })

const transaction = explorerRoute('tx', 'Show a transaction', async (services, ref) => {
  if (!HASH.test(ref)) return missing('transaction of this hash')
  const shown = await readShownTransaction(services.chain, ref.toLowerCase() as Hex)
  if (!shown) return missing('transaction of this hash')
  return transactionPage(await readSite(services), shown)
})

const address = explorerRoute('address', 'Show an address', async (services, ref) => {
  const address = asAddress(ref)
  return address ? addressPage(services, address) : missing('such address')
})

const token = explorerRoute('token', 'Show a token', async (services, ref) => {
  const address = asAddress(ref)
  return address ? tokenPage(services, address) : missing('such token')
})

const stream = explorerRoute('streams', 'Show a vesting stream', async (services, ref) =>
  STREAM.test(ref) ? streamPage(services, BigInt(ref)) : missing('such stream'),
)

export const explorerRoutes: Route[] = [transaction, address, token, stream]
