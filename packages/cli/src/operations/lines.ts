/**
 * The commands that are made from openapi.json: a line for each operation, with the words of its command. A new operation
 * needs its line here, or a command of its own; `coverage.test.ts` names those that have neither.
 */
export const LINES: Readonly<Record<string, string>> = {
  'POST /api/auth/logout': 'sessions logout',
  'POST /api/keys/restricted': 'keys restrict',
  'POST /api/keys/validate': 'keys validate',
  'GET /api/keys/{hash}/limits': 'keys limits show',
  'PATCH /api/keys/{hash}/limits': 'keys limits set',
  'GET /api/limits': 'limits show',
  'PATCH /api/limits': 'limits set',

  'GET /api/funding/tokens': 'treasury tokens',
  'GET /api/wallet/balance': 'treasury wallet',
  'POST /api/fund/verify': 'treasury deposit',
  'POST /api/fund/authorization': 'treasury authorize',
  'POST /api/withdraw': 'treasury withdraw',
  'GET /api/withdrawals': 'treasury withdrawals',

  'POST /api/issue/bulk': 'cards issue-bulk',
  'PATCH /api/cards/{id}/controls': 'cards controls',
  'PUT /api/cards/{id}/controls/draft': 'cards draft set',
  'DELETE /api/cards/{id}/controls/draft': 'cards draft drop',
  'POST /api/cards/{id}/controls/draft/apply': 'cards draft apply',
  'POST /api/cards/{id}/children': 'cards slice',
  'GET /api/cards/{id}/children': 'cards children',
  'POST /api/cards/{id}/claim': 'cards claim',
  'POST /api/cards/{id}/rotate-token': 'cards rotate-token',

  'GET /api/approvals': 'approvals list',
  'GET /api/approvals/{id}': 'approvals show',
  'POST /api/approvals/{id}/approve': 'approvals approve',
  'POST /api/approvals/{id}/deny': 'approvals deny',
  'POST /api/decisions/{id}/allow': 'approvals allow',

  'GET /api/payments': 'payments list',
  'GET /api/payments/{id}': 'payments show',
  'POST /api/payments/{id}/refund': 'payments refund',
  'POST /api/pay/authorize': 'payments authorize',
  'POST /api/pay/purchases': 'payments purchase',
  'GET /api/settlement/status/{txn_id}': 'payments status',

  'POST /api/mpp/session': 'streams session',
  'POST /api/mpp/stream/open': 'streams open',
  'POST /api/mpp/stream/tick': 'streams tick',
  'POST /api/mpp/stream/close': 'streams close',
  'GET /api/mpp/stream/{id}': 'streams show',
  'GET /api/mpp/streams': 'streams list',

  'GET /api/paylinks/{code}/status': 'links status',
  'GET /api/pay/{code}/resolve': 'links resolve',
  'GET /api/pay/{code}/prepare': 'links prepare',
  'POST /api/pay/{code}/settle': 'links settle',
  'GET /pay/{code}': 'links page',
  'POST /pay/{code}': 'links pay',
  'GET /api/exceptions/{id}': 'exceptions show',

  'POST /api/ap2/settle': 'ap2 settle',
  'GET /api/ap2/receipts/{settlement_id}': 'ap2 receipt',
  'POST /api/ap2/receipt': 'ap2 attach-receipt',
  'POST /api/ap2/verify': 'ap2 verify',
  'POST /api/ap2/open-mandate': 'ap2 open-mandate',
  'POST /api/ap2/mandate': 'ap2 mandate',
  'GET /api/ap2/mandates/{card_id}': 'ap2 mandates',
  'POST /api/ap2/mandates/{mandate_id}/revoke': 'ap2 revoke',
  'POST /api/ap2/keys': 'ap2 keys add',
  'GET /api/ap2/keys': 'ap2 keys list',
  'DELETE /api/ap2/keys/{kid}': 'ap2 keys remove',
  'GET /api/ap2/instruments': 'ap2 instruments',
  'GET /api/ap2/.well-known/jwks.json': 'ap2 jwks',
  'GET /api/ap2/agent-card': 'ap2 agent-card',
  'POST /api/ap2/payment-methods': 'ap2 payment-methods',
  'POST /api/ap2/execute': 'ap2 execute',

  'POST /api/billing/agreements': 'agreements create',
  'POST /api/billing/agreements/prepare': 'agreements prepare',
  'GET /api/tokens/{id}': 'tokens show',

  'POST /api/x402/pay': 'x402 pay',
  'GET /api/x402': 'x402 show',
  'GET /api/x402/discover': 'x402 discover',
  'GET /api/x402/supported': 'x402 supported',
  'POST /api/x402/verify': 'x402 verify',
  'POST /api/x402/settle': 'x402 settle',
  'GET /api/x402/settlements/{id}': 'x402 settlement',
  'GET /api/x402/settlements': 'x402 settlements',
  'GET /api/x402/discovery/resources': 'x402 resources',
  'GET /api/x402/discovery/search': 'x402 search',
  'POST /api/x402/receive': 'x402 receive',
  'POST /api/x402/sign-in': 'x402 sign-in',

  'GET /.well-known/http-message-signatures-directory': 'agents directory',
  'POST /api/agents/verify': 'agents verify',

  'POST /api/mpp/pay': 'mpp pay',
  'POST /api/paywall': 'paywall demand',
  'POST /api/paywall/payments': 'paywall take',
  'POST /api/paywall/payments/{id}/settle': 'paywall settle',
  'POST /api/paywall/payments/{id}/release': 'paywall release',

  'GET /api/mpp/discover': 'mpp discover',
  'POST /api/mpp/agentcard': 'mpp agentcard',
  'POST /api/mpp/receive': 'mpp receive',

  'GET /api/v1': 'credentials list',
  'GET /api/v1/credentials/{ref}': 'credentials show',
  'GET /api/v1/credentials/{ref}/registration': 'credentials registration',
  'GET /api/v1/credentials/{ref}/proof': 'credentials proof',
  'GET /api/cards/{id}/identity': 'credentials identity',
  'POST /api/cards/{id}/identity': 'credentials register',
  'POST /api/cards/{id}/identity/withdraw': 'credentials withdraw',

  'GET /api/cards/{id}/listing': 'market of-card',

  'GET /api/status': 'status',
  'GET /api/config': 'service config',
  'GET /.well-known/agent-card.json': 'service agent-card',
  'GET /.well-known/did.json': 'service did',
  'POST /a2a': 'service a2a',
  'GET /': 'service page',
  'GET /docs': 'service docs',
  'GET /llms.txt': 'service llms',
  'GET /metrics': 'service metrics',

  'POST /api/dev/faucet': 'dev faucet',
  'POST /api/dev/mine': 'dev mine',
  'POST /api/dev/clock': 'dev clock',
}

/** The groups that have no written command: the section of the help that each stands in, and what it is for. */
export const GROUPS: Readonly<Record<string, readonly [section: string, about: string]>> = {
  treasury: ['Pay', 'deposits, withdrawals and the assets of the treasury'],
  approvals: ['Pay', 'payments that wait for you, and declines that you allow'],
  payments: ['Pay', 'what was paid and received, refunds, and how a payment settles'],
  streams: ['Pay', 'payments tick by tick (MPP)'],
  ap2: ['Protocols', 'mandates, receipts and keys of AP2'],
  'ap2 keys': ['', 'keys that sign mandates for a card'],
  x402: ['Protocols', 'the x402 facilitator, its settlements and what it knows'],
  mpp: ['Protocols', 'the rails of MPP'],
  agents: ['Protocols', 'agents that sign their requests'],
  paywall: ['Be paid', 'a price on a route of your own: what the paywall of a seller asks'],
  credentials: ['Trade', 'public figures, proofs and identity tokens of cards'],
  service: ['Watch', 'what the service says of itself'],
  dev: ['Begin', 'faucet, blocks and clock of the development service'],
}

/** Operations whose answer holds a secret that is shown once. Their commands take `--save`. */
export const SECRETS: readonly string[] = [
  'POST /api/keys/restricted',
  'POST /api/issue/bulk',
  'POST /api/cards/{id}/children',
  'POST /api/cards/{id}/rotate-token',
]
