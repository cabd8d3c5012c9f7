/** A month in a folder: a compressed file of lines as in a backup, and its manifest. */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { bodyOf } from '../backup/format.ts'
import { isDiskFull, StartError } from '../start-error.ts'

export type Manifest = {
  purser_archive: 1
  month: string
  file: string
  bytes: number
  sha256: string
  columns: string[]
  settlements: number
  batches: number
  /** By network and asset, in base units. */
  sums: Record<string, { amount: string; fee: string }>
  ids: { first: string; last: string }
  /** The part of each hash chain that the month's batches lie in, and the hash of the last. */
  chains: Record<string, { first: string; last: string; hash: string }>
  /** Sealed all of it. */
  checkpoint: { seq: string; mac: string; key_id: string }
  made_at: string
}

export const filesOf = (dir: string, month: string) => ({
  rows: join(dir, `settlements-${month}.jsonl.gz`),
  manifest: join(dir, `settlements-${month}.json`),
})

/** Writes lines under this name once they are all on the disk. A file of an earlier try, or of another service, is kept beside it. */
export async function writeRows(
  path: string,
  lines: AsyncIterable<string>,
  at: Date,
): Promise<void> {
  await writeWith(path, at, (out) =>
    pipeline(Readable.from(lines), createGzip(), out.createWriteStream({ flush: true })),
  )
}

export const writeText = (path: string, text: string, at: Date): Promise<void> =>
  writeWith(path, at, async (out) => {
    try {
      await out.writeFile(text)
      await out.sync()
    } finally {
      await out.close()
    }
  })

async function writeWith(
  path: string,
  at: Date,
  write: (out: FileHandle) => Promise<void>,
): Promise<void> {
  const unfinished = `${path}.unfinished`
  await rm(unfinished, { force: true })
  try {
    await write(await open(unfinished, 'wx', 0o600))
    await place(unfinished, path, at)
  } catch (error) {
    await rm(unfinished, { force: true })
    if (!isDiskFull(error)) throw error
    // Without the cause, whose own sentence names PURSER_DATA_DIR.
    throw new StartError(
      `Nothing was put away: the disk of ${path} is full. Free some space, or choose another folder with --to.`,
    )
  }
}

async function place(unfinished: string, path: string, at: Date): Promise<void> {
  if (existsSync(path)) {
    let aside = `${path}.before-${at.toISOString().replaceAll(/[:.]/g, '')}`
    while (existsSync(aside)) aside += '-'
    await rename(path, aside)
  }
  await rename(unfinished, path)
  const folder = await open(join(path, '..'))
  await folder.sync().finally(() => folder.close())
}

/** The size and the digest of a file as it lies on the disk; undefined if there is none. */
export async function measure(
  path: string,
): Promise<{ bytes: number; sha256: string } | undefined> {
  if (!existsSync(path)) return undefined
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** So many rows are read at once. */
const PART = 2_000

/** The rows of a file, a part after the other. */
export async function* partsOf(path: string): AsyncGenerator<string[], void, undefined> {
  let part: string[] = []
  for await (const line of bodyOf({ path, keys: [] })) {
    if (typeof line !== 'string') continue
    part.push(line)
    if (part.length < PART) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

export const readText = async (path: string): Promise<string | undefined> =>
  existsSync(path) ? readFile(path, 'utf8') : undefined
