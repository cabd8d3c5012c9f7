import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Fault } from './fault.ts'
import { readOptional, readSecretFile, unwritable } from './files.ts'

/** The wallet that `purser login` signed in, and the service. */
export type Profile = {
  base_url: string
  wallet_address: string
  key_hash: string
  api_key: string
}
export type NamedProfile = Profile & { name: string }

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** `$XDG_CONFIG_HOME/purser`, else below `~/.config`. */
const folder = (): string =>
  join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'purser')
const profilesFolder = (): string => join(folder(), 'profiles')
const currentFile = (): string => join(folder(), 'current')

/** The file of a profile. */
export const profilePath = (name: string): string => join(profilesFolder(), `${checked(name)}.json`)

function checked(name: string): string {
  if (NAME.test(name)) return name
  throw new Fault('A profile is named by letters, digits, dots, - and _, 64 at most.')
}

/** The profile of this name. Throws if there is none, or if others may read its file. */
export async function readProfile(name: string): Promise<NamedProfile> {
  const path = profilePath(name)
  if ((await readOptional(path)) === undefined)
    throw new Fault(
      `There is no profile ${name}: \`npx purser profiles list\` shows those there are.`,
    )
  const text = await readSecretFile(path)
  try {
    return { ...(JSON.parse(text) as Profile), name }
  } catch (cause) {
    throw new Fault(`${path} is not valid JSON; sign in again with \`npx purser login\`.`, {
      cause,
    })
  }
}

/** The names of all profiles, in order. */
export async function listProfiles(): Promise<string[]> {
  const names = await readdir(profilesFolder()).catch((error: NodeJS.ErrnoException) => {
    if (['ENOENT', 'ENOTDIR'].includes(error.code ?? '')) return []
    throw new Fault(`${profilesFolder()} cannot be read.`, { cause: error })
  })
  return names
    .filter((name) => name.endsWith('.json') && NAME.test(name.slice(0, -5)))
    .map((name) => name.slice(0, -5))
    .toSorted()
}

/** The name of the profile in use, if there is one. */
export async function currentName(): Promise<string | undefined> {
  const name = (await readOptional(currentFile()))?.trim()
  return name !== undefined && (await listProfiles()).includes(name) ? name : undefined
}

/** The profile in use, if there is one. */
export async function currentProfile(): Promise<NamedProfile | undefined> {
  const name = await currentName()
  return name === undefined ? undefined : readProfile(name)
}

/** Stores a profile in a file for its owner only, and uses it from now on. */
export async function saveProfile({ name, ...profile }: NamedProfile): Promise<void> {
  await writePrivate(profilePath(name), `${JSON.stringify(profile)}\n`)
  await useProfile(name)
}

/** Throws a sentence if a profile could not be stored: a key that is shown once must not be made then. */
export async function checkPlace(name: string): Promise<void> {
  const path = profilePath(name)
  const probe = `${path}.probe`
  await writePrivate(probe, '', path)
  await rm(probe)
}

export const useProfile = (name: string): Promise<void> =>
  writePrivate(currentFile(), `${checked(name)}\n`)

export const forgetProfile = (name: string): Promise<void> =>
  rm(profilePath(name), { force: true }).catch((error) => {
    throw unwritable(profilePath(name), error)
  })

/** A reader sees either the complete old file or the new one. A fault names `shown`. */
async function writePrivate(path: string, text: string, shown = path): Promise<void> {
  const fresh = `${path}.${process.pid}`
  try {
    for (const each of [dirname(folder()), folder(), dirname(path)]) await makeFolder(each)
    await writeFile(fresh, text, { mode: 0o600 })
    await rename(fresh, path)
  } catch (error) {
    throw unwritable(shown, error)
  }
}

/** Not `recursive`: below some file systems, such as `/proc`, Node tries that for ever. */
async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}
