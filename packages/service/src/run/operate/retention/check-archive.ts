import { type Reader, sqlState } from '../../../base/db/sql.ts'
import type { Note } from '../../../money/ledger/fault.ts'
import { listArchived } from '../../../money/ledger/verify/store-archived.ts'
import { StartError } from '../start-error.ts'
import { filesOf, type Manifest, measure, partsOf, readText } from './archive-file.ts'
import { addRead, dropRead, makeRead, takeRead } from './store.ts'

type Checking = { note: Note; isArchived: boolean }

/** Reads every month that was put away from the files in `dir`, and holds each row against the hash chains. Returns how many rows. */
export async function checkArchive(on: Reader, dir: string, note: Note): Promise<number> {
  let rows = 0
  for (const { month, manifest } of await listArchived(on)) {
    const say = (fault: string) => note('archive', fault)
    const paths = filesOf(dir, month)
    const beside = await readText(paths.manifest)
    if (beside === undefined) say(`${paths.manifest} is missing`)
    else if (beside !== manifest)
      say(`${paths.manifest} is not the manifest that ${month} was put away with`)
    rows += await checkRows(on, paths.rows, {
      ...{ manifest: JSON.parse(manifest) as Manifest, note, isArchived: true },
    })
  }
  return rows
}

/** Reads the rows of one month again. Notes what differs from the manifest, or from the chains. */
export async function checkRows(
  on: Reader,
  path: string,
  { manifest, note, isArchived }: Checking & { manifest: Manifest },
): Promise<number> {
  const say = (fault: string) => note('archive', `${path} ${fault}`)
  const measured = await measure(path)
  if (!measured) say('is missing')
  else if (measured.sha256 !== manifest.sha256) say('is not as it was written: its SHA-256 differs')
  if (measured?.sha256 !== manifest.sha256) return 0
  const found = { rows: 0, batches: 0 }
  const take = async (isEnd: boolean) => {
    for (const batch of await takeRead(on, isEnd)) {
      found.rows += Number(batch.rows)
      found.batches++
      for (const id of batch.altered?.slice(0, 3) ?? [])
        say(`has settlement ${id}, which was altered`)
      if (!batch.isIntact) say(`has batch ${batch.batch} otherwise than its hash chain`)
      if (isArchived && !batch.isArchived) say(`has batch ${batch.batch}, which was not put away`)
    }
  }
  await makeRead(on, manifest.columns)
  try {
    for await (const lines of partsOf(path)) {
      await addRead(on, manifest.columns, lines)
      await take(false)
    }
    await take(true)
  } catch (error) {
    if (!(error instanceof StartError) && !/^22/.test(sqlState(error) ?? '')) throw error
    say('cannot be read')
    return found.rows
  } finally {
    await dropRead(on)
  }
  if (found.rows !== manifest.settlements || found.batches !== manifest.batches)
    say(
      `has ${found.rows} settlements in ${found.batches} batches instead of ${manifest.settlements} in ${manifest.batches}`,
    )
  return found.rows
}
