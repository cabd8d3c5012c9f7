import type { Command } from 'commander'
import { command, group } from '../command.ts'
import { print } from '../output.ts'
import { runService } from './run-service.ts'

const migrate = command<{ json?: boolean; dryRun?: boolean; contract?: boolean }>({
  name: 'migrate',
  summary: 'bring the database to the newest schema, and name what is applied',
  example: 'DATABASE_URL=postgres://… npx purser migrate --dry-run',
  options: (made) =>
    made
      .option('--dry-run', 'name what is to be applied, and change nothing')
      .option('--contract', 'apply also what no older version can run beside'),
  run: async ({ json, dryRun, contract }) => {
    const code = await runService(
      ['migrate', ...(dryRun ? ['--dry-run'] : []), ...(contract ? ['--contract'] : [])],
      json ? 'no output' : 'output',
    )
    if (json) print({ migrated: code === 0 && !dryRun }, true, String)
    return code
  },
})

const verify = command<{
  json?: boolean
  anchor?: string
  archive?: string
  incremental?: boolean
  parallel?: string
}>({
  name: 'verify',
  summary:
    'check the books: hash chains, checkpoints, sums, counters, and balances against the chain',
  example: 'npx purser verify --anchor anchors.jsonl',
  options: (made) =>
    made
      .option('--incremental', 'go on from where the books were last in order, not from the start')
      .option('--parallel <connections>', 'read the chains over so many connections')
      .option('--archive <folder>', 'check also the months that were put away there')
      .option('--anchor <file or transaction>', 'hold the books against what anchor wrote'),
  run: ({ json, anchor, archive, incremental, parallel }) =>
    runService([
      'verify',
      ...(incremental ? ['--incremental'] : []),
      ...(parallel === undefined ? [] : ['--parallel', parallel]),
      ...(anchor === undefined ? [] : ['--anchor', anchor]),
      ...(archive === undefined ? [] : ['--archive', archive]),
      ...(json ? ['--json'] : []),
    ]),
})

const anchor = command<{ json?: boolean; file?: string; url?: string; chain?: boolean }>({
  name: 'anchor',
  summary: 'write where the books stand to a place that the database cannot reach',
  example: 'npx purser anchor --file anchors.jsonl',
  options: (made) =>
    made
      .option('--file <path>', 'append a line to this file')
      .option('--url <url>', 'post the line to this URL')
      .option('--chain', 'have a relayer write 32 bytes to the chain'),
  run: ({ json, file, url, chain }) =>
    runService([
      'anchor',
      ...(file === undefined ? [] : ['--file', file]),
      ...(url === undefined ? [] : ['--url', url]),
      ...(chain ? ['--chain'] : []),
      ...(json ? ['--json'] : []),
    ]),
})

const makeBackup = command({
  name: 'make',
  summary: 'write the database as it is now to a new file, while the service runs or not',
  example: 'npx purser backup purser-2026-11-26.backup',
  options: (made) => made.argument('<file>', 'a new file; only you may read it'),
  run: ({ json }, file = '') => runService(['backup', file, ...(json ? ['--json'] : [])]),
})

const verifyBackup = command({
  name: 'verify',
  summary: 'read a backup to its last byte, without a database',
  example: 'npx purser backup verify purser-2026-11-26.backup',
  options: (made) => made.argument('<file>', 'as `backup` wrote it'),
  run: ({ json }, file = '') => runService(['backup', 'verify', file, ...(json ? ['--json'] : [])]),
})

const backup = group('backup', 'write a backup, or read one', [verifyBackup])
backup.addCommand(makeBackup, { isDefault: true })

const restore = command<{ json?: boolean; replace?: boolean }>({
  name: 'restore',
  summary: 'fill an unused database from a backup, and look for sales that it does not know',
  example: 'npx purser restore purser-2026-11-26.backup --replace',
  options: (made) =>
    made
      .argument('<file>', 'as `backup` wrote it')
      .option('--replace', 'move the embedded database that is here away first'),
  run: ({ json, replace }, file = '') =>
    runService(['restore', file, ...(replace ? ['--replace'] : []), ...(json ? ['--json'] : [])]),
})

const showRetention = command({
  name: 'show',
  summary: 'what is kept, how long, and how much of it is over',
  example: 'npx purser retention',
  run: ({ json }) => runService(['retention', ...(json ? ['--json'] : [])]),
})

const applyRetention = command({
  name: 'apply',
  summary: 'delete now what is over, in small pieces; may be cut off and run again',
  example: 'npx purser retention apply',
  run: ({ json }) => runService(['retention', 'apply', ...(json ? ['--json'] : [])]),
})

const archiveMonth = command<{
  json?: boolean
  month: string
  to?: string
  dryRun?: boolean
}>({
  name: 'archive',
  summary: 'put an old month of settlements away in a file; may be cut off and run again',
  example: 'npx purser retention archive --month 2026-01 --to /var/lib/purser/archive',
  options: (made) =>
    made
      .requiredOption('--month <month>', 'at least three full months ago')
      .option('--to <folder>', 'a folder that is there')
      .option('--dry-run', 'only check the month, and say what would be put away'),
  run: ({ json, month, to, dryRun }) =>
    runService([
      ...['retention', 'archive', '--month', month],
      ...(to === undefined ? [] : ['--to', to]),
      ...(dryRun ? ['--dry-run'] : []),
      ...(json ? ['--json'] : []),
    ]),
})

const exportMonth = command<{ json?: boolean; month: string; archive: string; of?: string }>({
  name: 'export',
  summary: 'the payments of a month that was put away, as CSV',
  example:
    'npx purser retention export --month 2026-01 --archive /var/lib/purser/archive > 2026-01.csv',
  options: (made) =>
    made
      .requiredOption('--month <month>', 'one that was put away')
      .requiredOption('--archive <folder>', 'where its file is')
      .option('--of <id>', 'only of this payment, card, wallet, link, agreement or mandate'),
  run: ({ json, month, archive, of }) =>
    runService([
      ...['retention', 'export', '--month', month, '--archive', archive],
      ...(of === undefined ? [] : ['--of', of]),
      ...(json ? ['--json'] : []),
    ]),
})

const retention = group('retention', 'what is kept, and how long', [
  applyRetention,
  archiveMonth,
  exportMonth,
])
retention.addCommand(showRetention, { isDefault: true })

/** Commands that check the books, and bring them to safety and to a newer schema. */
export const booksCommands: Command[] = [backup, restore, retention, migrate, verify, anchor]
