import { mkdir, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as driver } from 'playwright-core'

/** Far more than a page takes, even on a busy machine. */
const PATIENCE_MS = 200_000

/** A real browser with its web security on. */
export async function openBrowser(): Promise<Browser> {
  const browser = await driver.launch({
    executablePath: await unpack(),
    // The package's own arguments are for one page in one process, and switch web security off.
    args: ['--no-sandbox', '--disable-gpu'],
    headless: true,
    timeout: PATIENCE_MS,
  })
  browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS))
  return browser
}

/** The program's path. Only one process of a run unpacks it at a time: another could start a half-written file. */
async function unpack(): Promise<string> {
  const turn = join(tmpdir(), 'unpacking-chromium')
  while (!(await isMade(turn))) await sleep(50)
  try {
    return await chromium.executablePath()
  } finally {
    await rmdir(turn)
  }
}

const isMade = (folder: string): Promise<boolean> =>
  mkdir(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
