type Item = { text: string; page: string }
export type Section = { text: string; items: Item[] }

const item = (page: string, text: string): Item => ({ page: `${page}.md`, text })

/** The sections of the site in the order in which they are read. */
export const SECTIONS: Section[] = [
  {
    text: 'Start',
    items: [
      item('start', 'Ten minutes to a paid call'),
      item('walk', 'A walk by hand'),
      item('deposits', 'Money in and out'),
      item('status', 'What works'),
      item('shell', 'The functions of the shell'),
    ],
  },
  {
    text: 'Concepts',
    items: [
      item('concepts/card', 'Card'),
      item('concepts/treasury', 'Treasury'),
      item('concepts/link', 'Pay link'),
      item('concepts/mandate', 'Mandate'),
      item('concepts/settlement', 'Settlement'),
      item('concepts/exception', 'Exception'),
    ],
  },
  {
    text: 'Agents that pay',
    items: [
      item('give-a-card', 'Give an agent a card'),
      item('sdk', 'The SDK'),
      item('http', 'Python, Go, any language'),
      item('mcp', 'Tools by MCP'),
      item('cli', 'The command line'),
      item('limits', 'Limits'),
      item('approvals', 'Approvals'),
      item('drafts', 'Try other limits'),
      item('evidence', 'Evidence of payments'),
      item('agents', 'Signed requests'),
    ],
  },
  {
    text: 'Sell',
    items: [
      item('paywall', 'Sell an API'),
      item('paywall-api', 'Sell in Python, Go, …'),
      item('checkout', 'The checkout'),
      item('direct', 'To your own wallet'),
      item('billing', 'Subscriptions'),
      item('membership', 'Memberships'),
      item('fees', 'Fees'),
      item('refunds', 'Refunds'),
      item('doctor', 'Not found, paid or listed'),
    ],
  },
  {
    text: 'Know what happens',
    items: [item('webhooks', 'Webhooks'), item('feed', 'The feed'), item('events', 'Every event')],
  },
  {
    text: 'Cards as a business',
    items: [
      item('credentials', 'Figures and proofs'),
      item('market', 'Sell a card'),
      item('identity', 'Identity tokens'),
      item('crt-markets', 'Token markets'),
    ],
  },
  {
    text: 'Test',
    items: [item('testing', 'Testing with the clock'), item('examples', 'Programs of one file')],
  },
  {
    text: 'Operate',
    items: [
      item('operating', 'Running it for real'),
      item('settings', 'Every variable'),
      item('operate/install', 'Install on Debian'),
      item('operate/networks', 'Base Sepolia and Base'),
      item('operate/proxy', 'A proxy with TLS'),
      item('operate/container', 'In a container'),
      item('operate/managed-postgres', 'On a managed PostgreSQL'),
      item('operate/monitoring', 'Monitoring'),
      item('operate/runbooks', 'Runbooks'),
      item('operate/upgrade', 'Upgrades'),
      item('operate/keys', 'Replace the secret'),
      item('operate/retention', 'What is kept how long'),
      item('operate/payouts', 'Safe withdrawals'),
      item('scaling', 'Scaling'),
      item('operate/postgres-ha', 'PostgreSQL that survives'),
      item('operate/backup', 'Backup and recovery'),
      item('restoring', 'Restoring a backup'),
      item('truth', 'Which copy is the truth'),
      item('security', 'Safety'),
    ],
  },
  {
    text: 'Protocols',
    items: [item('protocols', 'What is spoken'), item('conformance', 'Conformance')],
  },
  {
    text: 'Reference',
    items: [
      item('reference/index', 'Every operation'),
      item('errors', 'Every error'),
      item('packages/sdk', '@purser/sdk'),
      item('packages/paywall', '@purser/paywall'),
      item('packages/mcp', '@purser/mcp'),
      item('packages/cli', 'purser'),
    ],
  },
  {
    text: 'Project',
    items: [
      item('versioning', 'Versions'),
      item('changelog', 'Changelog'),
      item('performance', 'Performance'),
      item('decisions/index', 'Decisions'),
    ],
  },
]

/** The pages that `llms.txt` names beside the operations. */
export const GUIDES: string[] = SECTIONS.flatMap(({ items }) =>
  items.map(({ page }) => page),
).filter((page) => page !== 'decisions/index.md')

/** The pages in `/llms-full.txt` before the operations: how to build on the service. */
export const FULL: string[] = GUIDES.filter(
  (page) =>
    !['reference/index.md', 'changelog.md', 'performance.md', 'conformance.md'].includes(page),
)
