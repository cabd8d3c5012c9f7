import { existsSync } from 'node:fs'
import { copyFile, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunningWith } from '../child.ts'
import { makeFolder } from '../make-folder.ts'

/** The parts of anvil's state file that we read. A block without transactions only marks time. */
type State = {
  blocks: { header: { number: string; timestamp: string }; transactions: unknown[] }[]
}

export type StateKeeper = {
  /** Stops copying and releases the folder. */
  release(): Promise<void>
}

const COPY_MS = 10_000
/** How long a process whose parent was killed may take to notice that, and then to save the state. */
const LEARN_MS = 3_000
const LEAVE_MS = 30_000
const LEAVING = 'leaving'
/** More empty blocks than anyone reads back, and more than the 256 that a contract can see. */
const KEPT_EMPTY_BLOCKS = 300

/** Waits until no other process uses the file, then prepares it: see `prepareState`. Throws if one does. */
export async function openState(file: string): Promise<number> {
  await makeFolder(dirname(file))
  await waitForOwner(file)
  return prepareState(file)
}

/**
 * Prepares the state file for loading; returns by how many seconds the chain's clock is ahead. Anvil rewrites the file in
 * place every second, so a power cut may leave half of it: then the copy that `keepState` made replaces it. Drops old empty blocks, because anvil slows down with every block
 * (0.2 ms for a block at height 100, 5 ms at 3,000). Throws if the file is damaged and has no copy.
 */
export async function prepareState(file: string): Promise<number> {
  const state = (await readState(file)) ?? (await readState(`${file}.previous`))
  if (state === undefined) {
    // A full disk leaves an empty file where anvil wrote its first state: there never was a chain.
    if (!existsSync(file) || (await stat(file)).size === 0) {
      await rm(file, { force: true })
      return 0
    }
    throw new Error(
      `The development chain's state ${file} is damaged and there is no copy of it. ` +
        'To start afresh, move the data folder away.',
    )
  }
  await writeFile(`${file}.new`, JSON.stringify(withoutOldEmptyBlocks(state)), { mode: 0o600 })
  await rename(`${file}.new`, file)
  return offsetFor(state, await readOffset(file))
}

/** The kept offset, or more if a block would otherwise be older than the one before it. */
function offsetFor({ blocks }: State, kept: number): number {
  const newest = Math.max(0, ...blocks.map(({ header }) => Number(header.timestamp)))
  return Math.max(kept, newest - Math.floor(Date.now() / 1000))
}

/** Keeps by how many seconds the chain's clock is ahead of the real one, which anvil does not. */
export async function keepOffset(file: string, seconds: number): Promise<void> {
  await writeFile(`${file}.offset.new`, String(seconds), { mode: 0o600 })
  await rename(`${file}.offset.new`, `${file}.offset`)
}

async function readOffset(file: string): Promise<number> {
  return existsSync(`${file}.offset`) ? Number(await readFile(`${file}.offset`, 'utf8')) : 0
}

/** Where anvil writes states of old blocks. */
export const statesFolder = (file: string): string => join(dirname(file), 'states')

/**
 * Anvil writes this file once it listens. Without it, whatever answers at the port is another chain, which took the port first: its
 * clock must not be set.
 */
export const listeningFile = (states: string): string => join(states, 'listening.json')
export const isListening = (states: string): boolean => existsSync(listeningFile(states))

/** The process that writes a state file, its address, and whether it is stopping. */
export type StateOwner = { pid: number; port?: number; isLeaving: boolean }

/** Records which process writes the file, and keeps a complete copy that is at most 10 s old. */
export async function keepState(
  file: string,
  { pid, port }: { pid: number; port: number },
): Promise<StateKeeper> {
  await writeFile(`${file}.pid`, `${pid} ${port}`)
  let copying = Promise.resolve()
  const timer = setInterval(() => {
    copying = copying.then(() => copyState(file))
  }, COPY_MS)
  timer.unref()
  return {
    async release() {
      clearInterval(timer)
      await copying
      await rm(`${file}.pid`, { force: true })
    },
  }
}

/** Records that the process that writes the file is stopping, so that another process may wait for the file. */
export const sayLeaving = (file: string, pid: number): Promise<void> =>
  writeFile(`${file}.pid`, `${pid} ${LEAVING}`)

/** The process that writes the file, or wrote it until it was killed; undefined if none is recorded. */
export async function readOwner(file: string): Promise<StateOwner | undefined> {
  if (!existsSync(`${file}.pid`)) return undefined
  const [pid, port] = (await readFile(`${file}.pid`, 'utf8')).split(' ')
  if (!pid) return undefined
  const isLeaving = port === LEAVING
  return { pid: Number(pid), isLeaving, ...(port && !isLeaving ? { port: Number(port) } : {}) }
}

async function copyState(file: string): Promise<void> {
  const copy = `${file}.copy`
  try {
    await copyFile(file, copy)
  } catch (error) {
    // Anvil has not written it yet.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  if (await endsWell(copy)) await rename(copy, `${file}.previous`)
}

/** A quick check: a complete file ends with a brace. Parsing finds the rest. */
async function endsWell(path: string): Promise<boolean> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    if (size === 0) return false
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
    return buffer.toString() === '}'
  } finally {
    await handle.close()
  }
}

/** The state, or undefined if there is none or it is damaged. */
async function readState(path: string): Promise<State | undefined> {
  if (!existsSync(path)) return undefined
  try {
    return JSON.parse(await readFile(path, 'utf8')) as State
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function withoutOldEmptyBlocks(state: State): State {
  const numbers = state.blocks.map((block) => Number(block.header.number))
  const oldest = Math.max(0, ...numbers) - KEPT_EMPTY_BLOCKS
  const blocks = state.blocks.filter(({ transactions, header }) => {
    const number = Number(header.number)
    return transactions.length > 0 || number === 0 || number > oldest
  })
  return { ...state, blocks }
}

async function waitForOwner(file: string): Promise<void> {
  const begun = performance.now()
  for (;;) {
    const owner = await readOwner(file)
    if (!owner || !(await isRunningWith(owner.pid, file))) return
    if (performance.now() - begun > (owner.isLeaving ? LEAVE_MS : LEARN_MS))
      throw new Error(
        `The development chain's state ${file} is in use by process ${owner.pid}. Stop that service first, or choose ` +
          'another data folder.',
      )
    await sleep(20)
  }
}
