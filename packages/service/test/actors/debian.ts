import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * The folder of a Debian package's files. They are unpacked and not installed, so this needs no rights; where the lists of packages are
 * missing, root fetches them. Throws a sentence if the package cannot be had.
 */
export async function unpackDebian(name: string): Promise<string> {
  const folder = join(tmpdir(), `debian-${name}`)
  if (existsSync(folder)) return folder
  const place = await mkdtemp(`${folder}-`)
  const download = () => run('apt-get', ['download', name], { cwd: place })
  try {
    await download().catch(async () => {
      await run('apt-get', ['update'])
      await download()
    })
    const [file = ''] = await readdir(place)
    await run('dpkg-deb', ['-x', join(place, file), join(place, 'files')])
    // Whole at once. Another test may have been first: its files are the same.
    await rename(join(place, 'files'), folder).catch((error) => {
      if (!existsSync(folder)) throw error
    })
    return folder
  } catch (error) {
    throw new Error(
      `The Debian package ${name} could not be downloaded with apt-get: this test needs Debian or Ubuntu, and a way to their packages.`,
      { cause: error },
    )
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}
