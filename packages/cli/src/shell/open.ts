import { spawn } from 'node:child_process'
import { command } from '../command.ts'
import { findService } from '../context.ts'
import { Fault } from '../fault.ts'
import { print } from '../output.ts'

type Options = { json?: boolean; baseUrl?: string; profile?: string; print?: boolean }

const OPENERS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' }

export const openCommand = command<Options>({
  name: 'open',
  summary: 'open the service in your browser, and print its address',
  example: 'npx purser open',
  options: (made) =>
    made
      .option('--base-url <url>', 'the service (else PURSER_BASE_URL, else the local one)')
      .option('--profile <name>', 'a sign-in of `purser login` (else PURSER_PROFILE)')
      .option('--print', 'print the address alone'),
  run: async ({ json, print: isPrint, ...options }) => {
    const { baseUrl } = await findService(options)
    if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl))
      throw new Fault(`${baseUrl} is not an http or https URL.`)
    const opened = !isPrint && !json && process.stdout.isTTY && (await openBrowser(baseUrl))
    print({ url: baseUrl, opened }, json, ({ url }) => url)
  },
})

/** Whether a browser was started. The address is an argument: no shell reads it. */
function openBrowser(url: string): Promise<boolean> {
  const opener = OPENERS[process.platform] ?? 'xdg-open'
  return new Promise((resolve) => {
    const child = spawn(opener, [new URL(url).href], { stdio: 'ignore', detached: true })
    child.on('error', () => resolve(false))
    child.on('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
