/** The house: nine districts, the lowest first, each with its rooms, the lowest first. `docs/decisions/0060` says why so. */
export const DISTRICTS = {
  base: ['kernel', 'protocols', 'db', 'signing-keys', 'jobs', 'egress'],
  chain: ['client', 'relay', 'transfers'],
  api: ['http', 'events', 'audit', 'keys', 'requests', 'agents', 'webhooks'],
  money: ['ledger', 'tokens', 'pulls', 'treasury', 'cards', 'settlements'],
  members: ['agreements', 'membership', 'meter'],
  links: ['link', 'direct', 'profile', 'pay-links', 'watcher', 'reconcile'],
  rails: ['ap2', 'billing', 'spending', 'streams', 'facilitator', 'paywall'],
  business: ['stats', 'identity', 'crt-markets', 'market', 'credentials', 'holdings'],
  run: ['explorer', 'status', 'embedded', 'mcp', 'oversight', 'app.ts', 'config', 'operate'],
}

/** A file may import from its own room and from rooms named before it; never after. */
export const ROOMS = ['places.ts', ...Object.values(DISTRICTS).flat(), 'program.ts', 'main.ts']

/** The sub-folders of each room that has some, the lowest first: an import goes down the list. */
export const PARTS: Record<string, string[]> = {
  ap2: ['discovery', 'keys', 'mandates', 'receipts', 'settle'],
  billing: ['charge'],
  cards: [
    'merchants',
    'refunds',
    'owners',
    'caps',
    'rules',
    'controls',
    'approvals',
    'tokens',
    'issue',
    'drafts',
    'children',
    'limits',
    'lists',
  ],
  client: [
    'nodes',
    'signers',
    'accounts',
    'public',
    'identity',
    'tokens',
    'markets',
    'explore',
    'sales',
  ],
  credentials: ['proof'],
  'crt-markets': ['prices', 'vesting', 'launch', 'public'],
  db: ['pool', 'lanes', 'replica'],
  egress: ['guard'],
  direct: ['settle'],
  embedded: ['anvil', 'dev', 'postgres'],
  events: ['types', 'stream'],
  facilitator: ['discovery', 'settle', 'escrow', 'receive'],
  http: ['openapi', 'server'],
  identity: ['on-chain'],
  ledger: ['seals', 'verify'],
  link: ['arrivals'],
  market: ['hand-over', 'version', 'on-chain', 'sale'],
  membership: ['state', 'renewal', 'enrol', 'change'],
  operate: [
    'processes',
    'secrets',
    'tracing',
    'start',
    'backup',
    'retention',
    'commands',
    'program',
  ],
  'pay-links': ['pieces', 'methods', 'page', 'pay'],
  profile: ['logo'],
  protocols: ['ap2', 'evm', 'x402', 'mpp', 'http-signatures', 'uniswap'],
  reconcile: ['books'],
  relay: ['gas', 'batch', 'submit', 'wait', 'pull'],
  settlements: ['fee-rules', 'months', 'on-chain'],
  spending: ['seller', 'offer', 'read'],
  status: ['pages'],
  tokens: ['names'],
  treasury: ['withdrawals', 'deposits'],
  transfers: ['reads', 'looks'],
  webhooks: ['hosts', 'fan-out', 'deliver', 'log'],
}

/** The path of a source file without its district: `cards/policy.ts` of `money/cards/policy.ts`. */
export function withoutDistrict(file: string): string {
  const [district = '', ...rest] = file.split('/')
  return Object.hasOwn(DISTRICTS, district) ? rest.join('/') : file
}

/** The room of a file: the folder below its district, or the file itself if it is beside rooms. */
export const roomOf = (file: string): string => withoutDistrict(file).split('/')[0] ?? ''

/** Where a room stands: `money/cards`, or the room's own name if it is a file beside the districts. */
export function placeOf(room: string): string {
  const found = Object.entries(DISTRICTS).find(([, rooms]) => rooms.includes(room))
  return found ? `${found[0]}/${room}` : room
}

/** The part of its room that a file belongs to: a sub-folder, or the file itself if it is in the room's own folder. */
export const partOf = (file: string): string => withoutDistrict(file).split('/')[1] ?? ''
