/** Another version of the project, to measure in comparison with this one. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Tree = { folder: string; remove(): void }

const HERE = fileURLToPath(new URL('../..', import.meta.url))
/** The parts that a checkout lacks: installed packages and built pages. It uses those of this tree. */
const BUILT = ['node_modules', 'packages/sdk/dist', 'packages/web/dist']

/** The given folder, or a checkout of the git ref in a temporary folder. */
export function openTree(folderOrRef: string): Tree {
  if (existsSync(join(folderOrRef, 'packages')))
    return { folder: resolve(folderOrRef), remove: () => undefined }
  const parent = mkdtempSync(join(tmpdir(), 'purser-tree-'))
  const folder = join(parent, 'tree')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: HERE, stdio: 'ignore' })
  git('worktree', 'add', '--detach', folder, folderOrRef)
  for (const name of BUILT)
    if (existsSync(join(HERE, name)) && !existsSync(join(folder, name)))
      symlinkSync(join(HERE, name), join(folder, name))
  return {
    folder,
    remove() {
      git('worktree', 'remove', '--force', folder)
      rmSync(parent, { recursive: true, force: true })
    },
  }
}
