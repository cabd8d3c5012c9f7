import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
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

/** `$XDG_CONFIG_HOME/purser/profile.json`, else below `~/.config`. */
export const profilePath = (): string =>
  join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'purser', 'profile.json')

/** The profile that `purser login` left, if there is one. */
export async function readProfile(): Promise<Profile | undefined> {
  const path = profilePath()
  if ((await readOptional(path)) === undefined) return undefined
  const text = await readSecretFile(path)
  try {
    return JSON.parse(text) as Profile
  } catch (cause) {
    throw new Fault(`${path} is not valid JSON; sign in again with \`npx purser login\`.`, {
      cause,
    })
  }
}

/** Stores the profile in a file for its owner only. A reader sees either the complete old file or the new one. */
export async function saveProfile(profile: Profile): Promise<void> {
  const path = profilePath()
  const fresh = `${path}.${process.pid}`
  try {
    await makeFolder(dirname(dirname(path)))
    await makeFolder(dirname(path))
    await writeFile(fresh, `${JSON.stringify(profile)}\n`, { mode: 0o600 })
    await rename(fresh, path)
  } catch (error) {
    throw unwritable(path, error)
  }
}

/** Not `recursive`: below some file systems, such as `/proc`, Node tries that for ever. */
async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

export const forgetProfile = (): Promise<void> =>
  rm(profilePath(), { force: true }).catch((error) => {
    throw unwritable(profilePath(), error)
  })
