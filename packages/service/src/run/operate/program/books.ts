import { readFile } from 'node:fs/promises'
import { readNow } from '../../../base/db/clock.ts'
import { isStandby } from '../../../base/db/replica/proof.ts'
import { createEgress } from '../../../base/egress/egress.ts'
import { armFault } from '../../../base/kernel/fault-points.ts'
import { collectFaults } from '../../../money/ledger/fault.ts'
import { readConfig } from '../../config/config.ts'
import { settingsOf } from '../../config/settings.ts'
import { type AnchorTo, anchorBooks, checkAnchor, readAnchorTo } from '../commands/anchor.ts'
import { backUp, backupText, isBackupOrder, isVerifyOrder } from '../commands/backup/backup.ts'
import { isRestoreOrder, restore, restoredText } from '../commands/backup/restore.ts'
import { verifiedText, verifyBackup } from '../commands/backup/verify.ts'
import { migrate, readMigrateOrder } from '../commands/migrate.ts'
import {
  drawingProgress,
  readVerifyOrder,
  type VerifyOrder,
  verificationJson,
  verificationText,
  verifyBooks,
} from '../commands/verify.ts'
import { type ArchiveOrder, archiveMonth, planMonth } from '../retention/archive.ts'
import { checkArchive } from '../retention/check-archive.ts'
import { type ExportOrder, exportArchive } from '../retention/export-archive.ts'
import { applyRetention, readRetention } from '../retention/retention.ts'
import {
  archivedJson,
  archivedText,
  isRetentionOrder,
  planJson,
  planText,
  readArchiveOrder,
  readExportOrder,
  readPlanOrder,
  retentionJson,
  retentionText,
} from '../retention/show.ts'
import { attachMigrated } from '../start/attach.ts'
import { StartError } from '../start-error.ts'
import { type Call, type Command, printFrom } from './command.ts'

async function verify(
  { anchor, archive, ...how }: VerifyOrder,
  { host, asJson }: Call,
): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const config = readConfig(host.env)
  const books = await attachMigrated(config, host, stack)
  const { db, chain, checkpointKeys: keys } = books
  if (await isStandby(db.reader))
    throw new StartError(
      'DATABASE_URL leads to a standby, and verify adds up in tables of its own: run it on the primary, or on a copy of the standby that was promoted (docs/operate/postgres-ha.md).',
    )
  const isEmbedded = config.chain.kind === 'embedded'
  const at = await readNow(db.reader)
  const verification = await drawingProgress(process.stderr, (progress) =>
    verifyBooks({ db, chain, keys, isEmbedded, at }, { ...how, progress }),
  )
  if (anchor !== undefined)
    verification.faults.push(
      ...(await checkAnchor(books, { where: anchor, read: (path) => readFile(path, 'utf8') })),
    )
  if (archive !== undefined) {
    const { note, faults } = collectFaults()
    await db.together((on) => checkArchive(on, archive, note))
    verification.faults.push(...faults)
  }
  host.print(asJson ? verificationJson(verification) : verificationText(verification))
  const [first] = verification.faults
  if (first) host.complain(`${first.check}: ${first.fault}`)
  return first ? 1 : 0
}

const anchor = (to: AnchorTo, { host, asJson }: Call): Promise<number> =>
  printFrom(host, async (books) => {
    const egress = createEgress({ allow: books.config.egressAllow })
    const { seq, createdAt, mac } = await anchorBooks(books, books.at, { to, egress })
    const at = createdAt.toISOString()
    return asJson
      ? JSON.stringify({ checkpoint: Number(seq), at, mac: mac.toString('hex') })
      : `Checkpoint ${seq} of ${at} is anchored.${to.chain ? ' A relayer writes it to the chain.' : ''}`
  })

async function backup(file: string, { host, asJson }: Call): Promise<number> {
  const written = await backUp(readConfig(host.env), host, file)
  host.print(asJson ? JSON.stringify(written) : backupText(written))
  return 0
}

async function checkBackup(file: string, { host, asJson }: Call): Promise<number> {
  const verified = await verifyBackup(readConfig(host.env), host, file)
  host.print(asJson ? JSON.stringify(verified) : verifiedText(verified))
  return 0
}

async function restoreFrom([file = '', flag]: string[], { host, asJson }: Call): Promise<number> {
  const order = { file, isReplacing: flag === '--replace' }
  const restored = await restore(readConfig(host.env), host, order)
  host.print(asJson ? JSON.stringify(restored) : restoredText(restored))
  return 0
}

const archive = (order: ArchiveOrder, { host, asJson }: Call): Promise<number> => {
  const config = readConfig(host.env)
  if (config.fault) armFault(config.fault)
  return printFrom(
    host,
    async ({ db, at }) => {
      const made = await archiveMonth({ db, at, eventDays: config.eventDays }, order)
      return asJson ? archivedJson(made) : archivedText(made, order)
    },
    config,
  )
}

const plan = (month: string, { host, asJson }: Call): Promise<number> =>
  printFrom(host, async ({ db, at, config: { eventDays } }) => {
    const planned = await planMonth({ db, at, eventDays }, month)
    if ('plan' in planned) return asJson ? planJson(planned.plan) : planText(planned.plan)
    const { wasDone } = planned
    return asJson ? archivedJson(wasDone) : archivedText(wasDone, { month, dir: '' })
  })

async function exportMonth(order: ExportOrder, { host, asJson }: Call): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const { db } = await attachMigrated(readConfig(host.env), host, stack)
  await db.together(async (on) => {
    for await (const part of exportArchive(on, order, asJson)) host.print(part)
  })
  return 0
}

const retention: Command = (words, call) => {
  const { host, asJson } = call
  const asked = readExportOrder(words)
  if (asked) return exportMonth(asked, call)
  const order = readArchiveOrder(words)
  if (order) return archive(order, call)
  const planned = readPlanOrder(words)
  if (planned) return plan(planned, call)
  if (!isRetentionOrder(words)) return undefined
  return printFrom(host, async ({ db, config, at }) => {
    const settings = settingsOf(config, null)
    const shown = await (words[0] === 'apply'
      ? applyRetention(db, settings, at)
      : readRetention(db.reader, settings, at))
    return asJson ? retentionJson(shown) : retentionText(shown)
  })
}

/** Commands that check the books, and bring them to safety and to a newer schema. */
export const BOOKS: Record<string, Command> = {
  verify(words, call) {
    const order = readVerifyOrder(words)
    return order && verify(order, call)
  },
  anchor(words, call) {
    const to = readAnchorTo(words)
    return to && anchor(to, call)
  },
  backup(words, call) {
    if (isVerifyOrder(words)) return checkBackup(words[1] ?? '', call)
    return isBackupOrder(words) ? backup(words[0] ?? '', call) : undefined
  },
  restore: (words, call) => (isRestoreOrder(words) ? restoreFrom(words, call) : undefined),
  migrate(words, { host, asJson }) {
    const order = asJson ? undefined : readMigrateOrder(words)
    return order && migrate(readConfig(host.env), host, order)
  },
  retention,
}
