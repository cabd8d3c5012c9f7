import { Type } from 'typebox'
import type { Caller } from '../../../../api/http/caller.ts'
import {
  AddressField,
  idParam,
  iso,
  OneOf,
  Success,
  Timestamp,
} from '../../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../../api/http/route.ts'
import { Problem } from '../../../../base/kernel/problem.ts'
import { type IsReceiving, readPayee } from '../payee.ts'
import { addAddress, dropAddress, usableAt } from './addresses.ts'
import { listAddresses, type PayoutAddress, readPayoutTime } from './store-addresses.ts'

const TAG = 'Treasury'
const PATH = '/api/withdrawals/addresses'

const PayoutAddressBody = Type.Object({
  id: Type.String({ description: 'Id of the entry' }),
  address: AddressField,
  added_at: Timestamp,
  usable_at: Type.String({
    format: 'date-time',
    description: 'From when on withdrawals may go there',
  }),
  state: OneOf(['WAITING', 'ALLOWED'], '`ALLOWED` once `usable_at` has come'),
})

/** The address as it is at a time of the database. */
function viewAddress(row: PayoutAddress, delay: number | null, at: Date) {
  const opensAt = usableAt(row, delay)
  return {
    id: row.id,
    address: row.address,
    added_at: iso(row.addedAt),
    usable_at: iso(opensAt),
    state: opensAt <= at ? ('ALLOWED' as const) : ('WAITING' as const),
  }
}

function checkWhole({ cardIds }: Pick<Caller, 'cardIds'>): void {
  if (cardIds !== null)
    throw new Problem(
      'forbidden_scope',
      'A key restricted to cards cannot change where withdrawals go.',
    )
}

const add = (isReceiving: IsReceiving) =>
  keyRoute({
    method: 'POST',
    path: PATH,
    tag: TAG,
    summary: 'Let withdrawals go to an address besides your own wallet',
    description:
      'Where the operator has set a delay, withdrawals may go there from `usable_at` on. An address that you have already added keeps its time; one that you removed begins anew. Where none is set, withdrawals go to any address.',
    scope: 'treasury:write',
    body: Type.Object({ address: AddressField }, { additionalProperties: false }),
    response: Type.Object({ address: PayoutAddressBody }),
    attack: { capped: '100 addresses a wallet' },
    costs: { statements: 1_200, rows: 300 },
    errors: ['invalid_address', 'invalid_field', 'limit_reached'],
    handle: async ({ body, caller, at, services, write }) => {
      checkWhole(caller)
      const { walletAddress } = caller
      const delay = services.settings.payouts.addressDelay
      const { db, chain } = services
      const address = await readPayee(db.reader, chain, {
        text: body.address,
        isReceiving,
        param: 'address',
      })
      if (address === walletAddress)
        throw new Problem('invalid_address', 'Withdrawals go to your own wallet without it.', {
          param: 'address',
        })
      return write(async (tx) => {
        const added = await addAddress(tx, at, { walletAddress, address, delay })
        return { address: viewAddress(added, delay, await readPayoutTime(tx)) }
      })
    },
  })

const list = keyRoute({
  method: 'GET',
  path: PATH,
  tag: TAG,
  summary: 'Addresses that your withdrawals may go to, newest first',
  description: 'Besides your own wallet, which needs no entry.',
  scope: 'treasury:read',
  response: Type.Object({
    addresses: Type.Array(PayoutAddressBody, { description: 'The addresses, newest first' }),
    delay_seconds: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'How long an added address waits; null where withdrawals go to any address, added or not',
    }),
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: [],
  handle: async ({ caller, services }) => {
    const { reader } = services.db
    const rows = await listAddresses(reader, caller.walletAddress)
    const at = await readPayoutTime(reader)
    const delay = services.settings.payouts.addressDelay
    return { addresses: rows.map((row) => viewAddress(row, delay, at)), delay_seconds: delay }
  },
})

const remove = keyRoute({
  method: 'DELETE',
  path: `${PATH}/{id}`,
  tag: TAG,
  summary: 'Let no more withdrawals go to an address',
  description: 'Those on their way are paid. If you add it again, its time begins anew.',
  scope: 'treasury:write',
  params: idParam('address'),
  response: Type.Object({ success: Success }),
  attack: 'none',
  costs: { statements: 600 },
  errors: ['not_found'],
  handle: async ({ params, caller, at, services, write }) => {
    checkWhole(caller)
    const delay = services.settings.payouts.addressDelay
    const mine = { id: params.id, walletAddress: caller.walletAddress, delay }
    return write(async (tx) => {
      await dropAddress(tx, at, mine)
      return { success: true }
    })
  },
})

export const payoutAddressRoutes = (isReceiving: IsReceiving): Route[] => [
  add(isReceiving),
  list,
  remove,
]
