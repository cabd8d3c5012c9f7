import { issue, openLink, type Stage, type Triggers } from './stage.ts'

/** A key is made and revoked at once: it shall open nothing. */
async function makeKey({ purser }: Stage): Promise<void> {
  const body = { name: 'purser trigger', scopes: ['events:read' as const] }
  const { key } = await purser.POST('/api/keys/restricted', { body })
  await purser.DELETE('/api/keys/{hash}', { params: { path: { hash: key.key_hash } } })
}

/** Registers the plain token of the development chain, and takes it back. */
async function registerToken({ purser, dev }: Stage): Promise<void> {
  const minted = await purser.POST('/api/dev/faucet', {
    body: { wallet_address: dev.demo.wallet_address, amount: '1', asset: 'DEV' },
  })
  // One that is registered already makes no event.
  const before = await purser.GET('/api/tokens', { params: { query: { limit: 100 } } })
  for (const { id, address } of before.tokens)
    if (address.toLowerCase() === minted.contract.toLowerCase())
      await purser.DELETE('/api/tokens/{id}', { params: { path: { id } } })
  const { token } = await purser.POST('/api/tokens', {
    body: { network: dev.network, address: minted.contract },
  })
  await purser.DELETE('/api/tokens/{id}', { params: { path: { id: token.id } } })
}

async function issueMandate(stage: Stage): Promise<{ cardId: string; mandateId: string }> {
  const card = await issue(stage)
  const { code } = await openLink(stage)
  const { mandate_id } = await stage.purser.POST('/api/ap2/mandate', {
    body: { card_id: card.id, card_token: card.token, pay_link_code: code },
  })
  return { cardId: card.id, mandateId: mandate_id }
}

export const accessTriggers: Triggers = {
  'key.created': makeKey,
  'key.revoked': makeKey,
  'token.registered': registerToken,
  'token.removed': registerToken,
  'mandate.issued': issueMandate,
  'mandate.revoked': async (stage) => {
    const card = await issue(stage)
    const { code } = await openLink(stage)
    const { mandate_id } = await stage.purser.POST('/api/ap2/open-mandate', {
      body: {
        card_id: card.id,
        card_token: card.token,
        max_amount: 1,
        currency: 'USD',
        payees: [code],
      },
    })
    await stage.purser.POST('/api/ap2/mandates/{mandate_id}/revoke', {
      params: { path: { mandate_id } },
      body: {},
    })
  },
}
