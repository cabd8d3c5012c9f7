import { type Card, PurserError } from '@purser/sdk'
import {
  issue,
  mint,
  openLink,
  passHour,
  payByCard,
  type Stage,
  type Triggers,
  transfer,
} from './stage.ts'

const pathOf = ({ id }: Card) => ({ params: { path: { id } } })

async function freeze(stage: Stage): Promise<Card> {
  const card = await issue(stage)
  await stage.purser.POST('/api/cards/{id}/freeze', pathOf(card))
  return card
}

/** A payment that waits for the demo wallet. The refusal is what is asked for. */
async function ask(stage: Stage): Promise<{ params: { path: { id: string } } }> {
  const link = await openLink(stage)
  const card = await issue(stage, '1', { approval_above: '0.1' })
  const refused = await payByCard(stage, card, link).catch((error: unknown) => error)
  if (!(refused instanceof PurserError) || refused.code !== 'approval_required') throw refused
  return { params: { path: { id: String(refused.body.approval_id) } } }
}

export const cardTriggers: Triggers = {
  'card.issued': (stage) => issue(stage),
  'card.activated': async (stage) => {
    const { demo, treasury } = stage.dev
    const tx_hash = await transfer(stage, { from: demo.wallet_address, to: treasury, amount: 1n })
    await issue(stage, '1', { tx_hash })
  },
  'card.funding_failed': async (stage) => {
    const tx_hash = await mint(stage, stage.dev.demo.wallet_address, '1')
    await issue(stage, '1', { tx_hash })
  },
  'card.funded': async (stage) => {
    const card = await issue(stage)
    await stage.purser.POST('/api/cards/{id}/fund', { ...pathOf(card), body: { amount: '1' } })
  },
  'card.frozen': freeze,
  'card.unfrozen': async (stage) => {
    const card = await freeze(stage)
    await stage.purser.POST('/api/cards/{id}/unfreeze', pathOf(card))
  },
  'card.expired': async (stage) => {
    await issue(stage, '1', { expires_in: 1 })
    await passHour(stage)
  },
  'card.closed': async (stage) => {
    await stage.purser.POST('/api/cards/{id}/cancel', pathOf(await issue(stage)))
  },
  'card.claimed': async (stage) => {
    const till = await issue(stage)
    const link = await stage.purser.createPayLink({ card_id: till.id, amount: '0.25' })
    await payByCard(stage, await issue(stage), link)
    const body = { token: till.token }
    await stage.purser.POST('/api/cards/{id}/claim', { ...pathOf(till), body })
  },
  'card.updated': async (stage) => {
    const body = { daily_limit: '1' }
    await stage.purser.PATCH('/api/cards/{id}/controls', { ...pathOf(await issue(stage)), body })
  },
  'approval.requested': ask,
  'approval.approved': async (stage) => {
    await stage.purser.POST('/api/approvals/{id}/approve', await ask(stage))
  },
  'approval.denied': async (stage) => {
    await stage.purser.POST('/api/approvals/{id}/deny', await ask(stage))
  },
  'approval.expired': async (stage) => {
    await stage.purser.POST('/api/approvals/{id}/approve', await ask(stage))
    await passHour(stage)
  },
  'card.declined': async (stage) => {
    const link = await openLink(stage)
    const card = await issue(stage, '1', { max_transaction: '0.1' })
    // The refusal is what is asked for.
    await payByCard(stage, card, link).catch((error) => {
      if (error.code !== 'max_transaction_exceeded') throw error
    })
  },
}
