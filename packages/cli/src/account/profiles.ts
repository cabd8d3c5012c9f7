import { command, group } from '../command.ts'
import { Fault } from '../fault.ts'
import { print } from '../output.ts'
import { currentName, forgetProfile, listProfiles, readProfile, useProfile } from '../profile.ts'
import { type Column, printList } from '../table.ts'

type Profile = Shown & { name: string; in_use: boolean }
const COLUMNS: readonly Column<Profile>[] = [
  ['PROFILE', (one) => one.name],
  ['IN USE', (one) => (one.in_use ? 'yes' : 'no')],
  ['WALLET', (one) => one.wallet_address],
  ['SERVICE', (one) => one.base_url],
  ['FAULT', (one) => one.fault],
]

const list = command<{ json?: boolean; columns?: string[] }>({
  name: 'list',
  summary: 'list the sign-ins of this machine',
  example: 'npx purser profiles list',
  columns: COLUMNS,
  run: async (options) => {
    const current = await currentName()
    const profiles: Profile[] = await Promise.all(
      (await listProfiles()).map(async (name) => ({
        name,
        in_use: name === current,
        ...(await shown(name)),
      })),
    )
    const none = 'There are no profiles yet: npx purser login --help'
    printList({ profiles }, options, { rows: profiles, columns: COLUMNS, none })
  },
})

type Shown = { base_url?: string; wallet_address?: string; fault?: string }

/** A profile without its key. One that cannot be read must not hide the others. */
async function shown(name: string): Promise<Shown> {
  try {
    const { base_url, wallet_address } = await readProfile(name)
    return { base_url, wallet_address }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { fault: error.message }
  }
}

const use = command({
  name: 'use',
  summary: 'use a sign-in from now on, where no other service is named',
  example: 'npx purser profiles use staging',
  options: (made) => made.argument('<profile>', 'as `profiles list` shows it'),
  run: async ({ json }, name = '') => {
    const { base_url, wallet_address } = await readProfile(name)
    await useProfile(name)
    const done = { profile: name, base_url, wallet_address }
    print(done, json, () => `${name} is in use: ${base_url} as ${wallet_address}.`)
  },
})

const remove = command({
  name: 'remove',
  summary: 'forget a sign-in; its key stays good, and `purser logout` revokes it too',
  example: 'npx purser profiles remove staging',
  options: (made) => made.argument('<profile>', 'as `profiles list` shows it'),
  run: async ({ json }, name = '') => {
    if (!(await listProfiles()).includes(name)) throw new Fault(`There is no profile ${name}.`)
    await forgetProfile(name)
    print({ removed: name }, json, () => `${name} is forgotten. Its key stays good.`)
  },
})

export const profileCommands = group('profiles', 'the sign-ins of this machine', [
  list,
  use,
  remove,
])
