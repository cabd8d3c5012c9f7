import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packAll } from '../../../../scripts/packages/pack.ts'

const run = promisify(execFile)
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`
/** A Node that is too old, and the newest. The tests themselves run on the one that the packages promise. */
const OTHERS = { node22: '22.23.3', node26: '26.12.1' }
export const NODES = ['node24', 'node26'] as const
export type Node = (typeof NODES)[number] | 'node22'

export type Installed = {
  folder: string
  /** The program of this Node. */
  nodeOf(name: Node): string
  [Symbol.asyncDispose](): Promise<void>
}

/** The four packages as npm installs them from their tarballs in a folder of `npm init -y`, with three Nodes, and what else is named. */
export async function installPacked(also: string[] = []): Promise<Installed> {
  await using stack = new AsyncDisposableStack()
  const newFolder = async () => {
    const path = await mkdtemp(join(tmpdir(), 'purser-pack-'))
    stack.defer(() => rm(path, { recursive: true }))
    return path
  }
  const folder = await newFolder()
  // The newer ones of npm write this type, whose files are no modules by their name alone.
  await run('npm', ['init', '-y'], { cwd: folder })
  await run('npm', ['pkg', 'set', 'type=commonjs'], { cwd: folder })
  const nodes = Object.entries(OTHERS).map(([as, v]) => `${as}@npm:${NODE_PACKAGE}@${v}`)
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--silent']
  const tarballs = (await packAll(await newFolder())).map(({ tarball }) => tarball)
  await run('npm', ['install', ...quiet, ...tarballs, ...nodes, ...also], {
    cwd: folder,
  })
  const owned = stack.move()
  return {
    folder,
    nodeOf: (name) =>
      name === 'node24' ? process.execPath : join(folder, 'node_modules', name, 'bin', 'node'),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
