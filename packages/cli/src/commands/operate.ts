import type { Command } from 'commander'
import { command, group } from '../command.ts'
import { doctorCommand } from '../doctor/doctor.ts'
import { Fault } from '../fault.ts'
import { booksCommands } from './books.ts'
import { runService } from './run-service.ts'

export const startCommand = command({
  name: 'start',
  summary: 'run the service here, with an embedded database and chain unless configured otherwise',
  json: 'refused: it runs until it is stopped',
  example: 'npx purser start',
  run: ({ json }) => {
    if (json)
      throw new Fault('start runs until it is stopped and prints no JSON; ask /readyz instead.')
    return runService(['start'])
  },
})

const listAlarms = command({
  name: 'list',
  summary: 'what troubles the service, now and before',
  example: 'npx purser alarms',
  run: ({ json }) => runService(['alarms', ...(json ? ['--json'] : [])]),
})

const acknowledgeAlarm = command<{ json?: boolean; note: string }>({
  name: 'ack',
  summary: 'write down that an alarm is known; it ends when its cause is gone',
  example: 'npx purser alarms ack alm_01k9… --note "top-up ordered"',
  options: (made) => made.argument('<id>').requiredOption('--note <text>', 'what is known of it'),
  run: ({ json, note }, id = '') =>
    runService(['alarms', 'ack', id, '--note', note, ...(json ? ['--json'] : [])]),
})

const alarms = group('alarms', 'what troubles the service', [acknowledgeAlarm])
alarms.addCommand(listAlarms, { isDefault: true })

const showPayouts = command({
  name: 'status',
  summary: 'whether money may leave the treasury, and why not',
  example: 'npx purser payouts',
  run: ({ json }) => runService(['payouts', ...(json ? ['--json'] : [])]),
})

const orderPayouts = (name: 'release' | 'stop', summary: string, note: string) =>
  command<{ json?: boolean; note: string }>({
    name,
    summary,
    example: `npx purser payouts ${name} --note "${note}"`,
    options: (made) => made.requiredOption('--note <text>', 'why'),
    run: ({ json, note }) =>
      runService(['payouts', name, '--note', note, ...(json ? ['--json'] : [])]),
  })

const listWaiting = command({
  name: 'list',
  summary: 'withdrawals that wait for an approval, above PURSER_PAYOUT_APPROVAL_ABOVE',
  example: 'npx purser payouts list',
  run: ({ json }) => runService(['payouts', 'list', ...(json ? ['--json'] : [])]),
})

const decideWaiting = (name: 'approve' | 'reject', summary: string, note: string) =>
  command<{ json?: boolean; note: string }>({
    name,
    summary,
    example: `npx purser payouts ${name} wd_01k9… --note "${note}"`,
    options: (made) => made.argument('<id>').requiredOption('--note <text>', 'why'),
    run: ({ json, note }, id = '') =>
      runService(['payouts', name, id, '--note', note, ...(json ? ['--json'] : [])]),
  })

const payouts = group('payouts', 'hold and release withdrawals and payments on chain', [
  orderPayouts(
    'release',
    'pay out again although custody is short; a larger shortage holds payouts again',
    'restored yesterday’s backup; two withdrawals are lost',
  ),
  listWaiting,
  decideWaiting('approve', 'let a withdrawal that waits be paid', 'asked them by telephone'),
  decideWaiting('reject', 'give the money of a withdrawal that waits back', 'their key is stolen'),
  orderPayouts('stop', 'hold all payouts until they are released', 'operator key may be known'),
])
payouts.addCommand(showPayouts, { isDefault: true })

const listSigningKeys = command({
  name: 'list',
  summary: 'the keys that the service signs AP2 documents and its requests to sellers with',
  example: 'npx purser signing-keys',
  run: ({ json }) => runService(['signing-keys', ...(json ? ['--json'] : [])]),
})

const rotateSigningKey = command({
  name: 'rotate',
  summary: 'have new keys sign; what the old ones signed stays good',
  example: 'npx purser signing-keys rotate',
  run: ({ json }) => runService(['signing-keys', 'rotate', ...(json ? ['--json'] : [])]),
})

const revokeSigningKey = command({
  name: 'revoke',
  summary: 'believe nothing any more that this key signed; for one that others know',
  example: 'npx purser signing-keys revoke 3f9a…',
  options: (made) => made.argument('<kid>'),
  run: ({ json }, kid = '') =>
    runService(['signing-keys', 'revoke', kid, ...(json ? ['--json'] : [])]),
})

const signingKeys = group('signing-keys', 'the keys that the service signs with', [
  rotateSigningKey,
  revokeSigningKey,
])
signingKeys.addCommand(listSigningKeys, { isDefault: true })

const listMerchants = command({
  name: 'list',
  summary: 'the merchant categories that were assigned to wallets, and every change of them',
  example: 'npx purser merchants',
  run: ({ json }) => runService(['merchants', ...(json ? ['--json'] : [])]),
})

const noteOf = (note: string | undefined): string[] => (note === undefined ? [] : ['--note', note])

const setMerchant = command<{ json?: boolean; note?: string }>({
  name: 'set',
  summary: 'assign a merchant category to a wallet, for cards with mcc_locks',
  example: 'npx purser merchants set 0x52ea… 5734 --note "shop seen on 3 May"',
  options: (made) =>
    made.argument('<wallet>').argument('<mcc>').option('--note <text>', 'why, for the record'),
  run: ({ json, note }, wallet = '', mcc = '') =>
    runService(['merchants', 'set', wallet, mcc, ...noteOf(note), ...(json ? ['--json'] : [])]),
})

const removeMerchant = command<{ json?: boolean; note?: string }>({
  name: 'remove',
  summary: 'take the merchant category of a wallet away',
  example: 'npx purser merchants remove 0x52ea…',
  options: (made) => made.argument('<wallet>').option('--note <text>', 'why, for the record'),
  run: ({ json, note }, wallet = '') =>
    runService(['merchants', 'remove', wallet, ...noteOf(note), ...(json ? ['--json'] : [])]),
})

const merchants = group('merchants', 'merchant categories of wallets', [
  setMerchant,
  removeMerchant,
])
merchants.addCommand(listMerchants, { isDefault: true })

const listFees = command({
  name: 'list',
  summary: 'the fees that count for payments, and every change of them',
  example: 'npx purser fees',
  run: ({ json }) => runService(['fees', ...(json ? ['--json'] : [])]),
})

const setFee = command<{ json?: boolean; note?: string }>({
  name: 'set',
  summary: 'set a fee from the next payment on: for all, a tier or a wallet',
  example: 'npx purser fees set 0x52ea… settlement 25 0.01 --note "as agreed on 3 May"',
  options: (made) =>
    made
      .argument('<whose>', 'default, a tier (starter, growth) or the address of a wallet')
      .argument('<kind>', 'settlement, payment, sale or direct_overage')
      .argument('<bps>', 'basis points, 50 is 0.5 %; or none, to remove the rule')
      .argument('[flat]', 'USDC on top')
      .option('--note <text>', 'why, for the record'),
  run: ({ json, note }, ...words) =>
    runService([
      'fees',
      'set',
      ...words.filter((word) => typeof word === 'string'),
      ...noteOf(note),
      ...(json ? ['--json'] : []),
    ]),
})

const fees = group('fees', 'fees of payments, by wallet, by plan, and for all others', [setFee])
fees.addCommand(listFees, { isDefault: true })

const listPlans = command({
  name: 'list',
  summary: 'the tiers of the membership, and what they cost',
  example: 'npx purser plans',
  run: ({ json }) => runService(['plans', ...(json ? ['--json'] : [])]),
})

const orderPlan = (verb: string, of: { summary: string; example: string; words: string[] }) =>
  command<{ json?: boolean }>({
    name: verb,
    summary: of.summary,
    example: of.example,
    options: (made) => of.words.reduce((all, word) => all.argument(word), made),
    run: ({ json }, ...words) =>
      runService([
        'plans',
        verb,
        ...words.filter((word) => typeof word === 'string'),
        ...(json ? ['--json'] : []),
      ]),
  })

const plans = group('plans', 'the tiers of the membership', [
  orderPlan('set', {
    summary: 'sell a plan on these terms; who is enrolled keeps the agreed price',
    example: 'npx purser plans set starter month USDC 19 1000 0.05',
    words: ['<tier>', '<period>', '<asset>', '<price>', '<quota>', '<overage>'],
  }),
  orderPlan('withdraw', {
    summary: 'sell a plan no more; those who have it keep it',
    example: 'npx purser plans withdraw growth year USDC',
    words: ['<tier>', '<period>', '<asset>'],
  }),
])
plans.addCommand(listPlans, { isDefault: true })

const compareSettings = command({
  name: 'show',
  summary: 'how the settings here differ from those of the other machines on the database',
  example: 'npx purser settings',
  run: ({ json }) => runService(['settings', ...(json ? ['--json'] : [])]),
})

const acceptSettings = command<{ json?: boolean; secretLost?: boolean }>({
  name: 'accept',
  summary: 'have every start compared with the settings here; stop all machines before',
  example: 'PURSER_FEE_BPS=75 npx purser settings accept',
  options: (made) =>
    made.option('--secret-lost', 'take another PURSER_SECRET; what the old one sealed is lost'),
  run: ({ json, secretLost }) =>
    runService([
      ...['settings', 'accept'],
      ...(secretLost ? ['--secret-lost'] : []),
      ...(json ? ['--json'] : []),
    ]),
})

const settings = group('settings', 'what all machines of a database must have the same', [
  acceptSettings,
])
settings.addCommand(compareSettings, { isDefault: true })

const showSecret = command({
  name: 'show',
  summary: 'what the secrets of PURSER_SECRET have sealed, and which machines list them',
  example: 'npx purser secret',
  run: ({ json }) => runService(['secret', ...(json ? ['--json'] : [])]),
})

const rotateSecret = command<{ json?: boolean; dryRun?: boolean }>({
  name: 'rotate',
  summary: 'seal everything by the first of them; may be cut off and run again',
  example: 'PURSER_SECRET=<new>,<old> npx purser secret rotate',
  options: (made) =>
    made.option('--dry-run', 'count what another one has sealed, and change nothing'),
  run: ({ json, dryRun }) =>
    runService([
      ...['secret', 'rotate'],
      ...(dryRun ? ['--dry-run'] : []),
      ...(json ? ['--json'] : []),
    ]),
})

const secret = group('secret', 'the secret by which the service seals what it keeps', [
  rotateSecret,
])
secret.addCommand(showSecret, { isDefault: true })

const listIdentities = command({
  name: 'list',
  summary: 'which address of the service identity tokens name',
  example: 'npx purser identities',
  run: ({ json }) => runService(['identities', ...(json ? ['--json'] : [])]),
})

const renameIdentities = command({
  name: 'rename',
  summary: 'have every identity token that the vault keeps name PUBLIC_URL, some at a time',
  example: 'npx purser identities rename',
  run: ({ json }) => runService(['identities', 'rename', ...(json ? ['--json'] : [])]),
})

const identities = group('identities', 'the identity tokens of cards', [renameIdentities])
identities.addCommand(listIdentities, { isDefault: true })

const listSales = command({
  name: 'list',
  summary: 'sales on chain that a restored backup did not know, and what became of them',
  example: 'npx purser sales',
  run: ({ json }) => runService(['sales', ...(json ? ['--json'] : [])]),
})

const findSales = command<{ json?: boolean; since: string }>({
  name: 'find',
  summary: 'after a restore: look for such sales, freeze their cards, and hand them over',
  example: 'npx purser sales find --since 2026-11-20T04:00:00Z',
  options: (made) => made.requiredOption('--since <time>', 'when the backup was made'),
  run: ({ json, since }) =>
    runService(['sales', 'find', '--since', since, ...(json ? ['--json'] : [])]),
})

const orderSale = (name: 'give' | 'dismiss', summary: string, note: string) =>
  command<{ json?: boolean; note: string }>({
    name,
    summary,
    example: `npx purser sales ${name} 0x3f9a… --note "${note}"`,
    options: (made) => made.argument('<listing hash>').requiredOption('--note <text>', 'why'),
    run: ({ json, note }, hash = '') =>
      runService(['sales', name, hash, '--note', note, ...(json ? ['--json'] : [])]),
  })

const sales = group('sales', 'sales on chain that a restored backup did not know', [
  findSales,
  orderSale(
    'give',
    'the buyer gets the card, whoever has it here',
    'the seller bought it yesterday; that sale is lost',
  ),
  orderSale('dismiss', 'the card stays where it is', 'both sides agreed'),
])
sales.addCommand(listSales, { isDefault: true })

export const operatorCommands: Command[] = [
  ...booksCommands,
  alarms,
  payouts,
  signingKeys,
  merchants,
  fees,
  plans,
  identities,
  sales,
  settings,
  secret,
  doctorCommand,
]
