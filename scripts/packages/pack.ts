import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const exec = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The folders that are published, each after those that it stands on. */
export const PUBLISHED = ['sdk', 'paywall', 'mcp', 'cli'] as const
type Folder = (typeof PUBLISHED)[number]

export type Packed = {
  folder: Folder
  name: string
  version: string
  /** The file that npm would upload, and its bytes. */
  tarball: string
  bytes: number
  /** The copy of the sources that it was packed from, as it was built. */
  copy: string
}

/**
 * Packs copies of the packages below `at`, an empty folder: what `npm pack` builds there is nobody else's. Each is compiled
 * against the copies of the others.
 */
export async function packAll(at: string): Promise<Packed[]> {
  await linkModules(join(at, 'node_modules'))
  await cp(join(ROOT, 'tsconfig.json'), join(at, 'tsconfig.json'))
  // The command line takes the service from here.
  await symlink(join(ROOT, 'scripts'), join(at, 'scripts'))
  const packed: Packed[] = []
  for (const folder of PUBLISHED) packed.push(await pack(at, folder))
  return packed
}

async function pack(at: string, folder: Folder): Promise<Packed> {
  const source = join(ROOT, 'packages', folder)
  const copy = join(at, 'packages', folder)
  await cp(source, copy, { recursive: true, filter: (path) => path !== join(source, 'dist') })
  return packCopy(folder, copy, at)
}

/** Builds and packs a copy of a package, into the folder `to`. */
export async function packCopy(folder: Folder, copy: string, to: string): Promise<Packed> {
  await exec('npm', ['pack', '--silent', '--pack-destination', to], { cwd: copy }).catch(
    (error) => {
      // The compiler writes what it finds to standard output.
      throw new Error(`${error.stdout}\n${error.stderr}`, { cause: error })
    },
  )
  const { name, version } = JSON.parse(await readFile(join(copy, 'package.json'), 'utf8'))
  const tarball = join(to, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  return { folder, name, version, tarball, bytes: (await stat(tarball)).size, copy }
}

/** All that is installed here, but of our own packages the copies. */
async function linkModules(modules: string): Promise<void> {
  await mkdir(join(modules, '@purser'), { recursive: true })
  for (const name of await readdir(join(ROOT, 'node_modules')))
    if (name !== '@purser') await symlink(join(ROOT, 'node_modules', name), join(modules, name))
  for (const folder of PUBLISHED)
    await symlink(join('..', '..', 'packages', folder), join(modules, '@purser', folder))
}
