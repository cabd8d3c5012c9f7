import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and the missing ones above it, for their owner only. Adds the paths that it made to `made`, the
 * uppermost first. A path that exists already is not looked at: it may be a file.
 *
 * Node's own `recursive` tries for ever where a file system answers "no such file" although the parent is there, as
 * `/proc` does.
 */
export async function makeFolder(path: string, made: string[] = []): Promise<void> {
  try {
    await makeOne(path, made)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(dirname(path), made)
    await makeOne(path, made)
  }
}

async function makeOne(path: string, made: string[]): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
    made.push(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
