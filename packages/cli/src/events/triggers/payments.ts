import { Fault } from '../../fault.ts'
import {
  openLink,
  passHour,
  type Stage,
  settle,
  stranger,
  type Triggers,
  transfer,
} from './stage.ts'

/** A stranger sends a link less than it asks for; the id of the exception. */
async function payShort(stage: Stage): Promise<string> {
  const { code, deposit_address } = await openLink(stage, '2')
  const payer = stranger()
  const tx_hash = await transfer(stage, { from: payer, to: deposit_address ?? '', amount: 1n })
  await stage.purser.POST('/api/dev/mine', { body: { blocks: 12 } })
  const query = { pay_link_code: code }
  for (let tries = 0; tries < 60; tries++) {
    await stage.purser
      .POST('/api/pay/{code}/settle', {
        params: { path: { code } },
        body: { tx_hash, from_address: payer, amount: '1' },
      })
      .catch((error) => {
        if (error.code !== 'payment_exception') throw error
      })
    const { exceptions } = await stage.purser.GET('/api/exceptions', { params: { query } })
    if (exceptions[0]) return exceptions[0].id
    await stage.purser.POST('/api/dev/mine', { body: { blocks: 1 } })
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Fault('The short payment was not seen within 30 seconds.')
}

export const paymentTriggers: Triggers = {
  'payment.settled': settle,
  'payment.sent': settle,
  'payment.refunded': async (stage) => {
    await settle(stage)
    const query = { direction: 'received' as const, limit: 1 }
    const { payments } = await stage.purser.GET('/api/payments', { params: { query } })
    const id = payments[0]?.id ?? ''
    await stage.purser.POST('/api/payments/{id}/refund', {
      params: { path: { id } },
      body: {},
    })
  },
  'payment.exception': payShort,
  'payment.exception_resolved': async (stage) => {
    const id = await payShort(stage)
    await stage.purser.POST('/api/exceptions/{id}/keep', { params: { path: { id } } })
  },
  'paylink.created': (stage) => openLink(stage),
  'paylink.completed': settle,
  'paylink.expired': async (stage) => {
    await openLink(stage, '0.25', { expires_in: 1 })
    await passHour(stage)
  },
  'paylink.cancelled': async (stage) => {
    const { code } = await openLink(stage)
    await stage.purser.DELETE('/api/paylinks/{code}', { params: { path: { code } } })
  },
  'funding.confirmed': async (stage) => {
    const { demo, treasury } = stage.dev
    await transfer(stage, { from: demo.wallet_address, to: treasury, amount: 5n })
  },
  'withdrawal.processing': withdraw,
  'withdrawal.completed': withdraw,
}

function withdraw({ purser }: Stage): Promise<unknown> {
  return purser.POST('/api/withdraw', { body: { amount: '2' } })
}
