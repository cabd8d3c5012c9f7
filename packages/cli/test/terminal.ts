import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { main } from '../src/main.ts'

/** The end of a command: its exit code and its words. */
export type Ran = { code: number; out: string; error: string }

/**
 * Runs commands in this process, with a folder of their own and these variables. Starting a program for each costs ten times
 * as much; `cli.test.ts` does so where a process alone can show it. `COLUMNS` is for a terminal: without it what they print
 * goes to a pipe.
 */
export async function terminal(env: Record<string, string> = {}) {
  const restore = stubTerminal(env.COLUMNS !== undefined)
  const folder = await mkdtemp(join(tmpdir(), 'purser-terminal-'))
  const unset = { PURSER_API_KEY: undefined, PURSER_PROFILE: undefined, COLUMNS: undefined }
  const variables = { ...unset, PURSER_DATA_DIR: folder, XDG_CONFIG_HOME: folder, ...env }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  const said = { out: [] as string[], error: [] as string[] }
  vi.spyOn(console, 'log').mockImplementation((text) => void said.out.push(String(text)))
  vi.spyOn(console, 'error').mockImplementation((text) => void said.error.push(String(text)))
  return {
    folder,
    async run(...words: string[]): Promise<Ran> {
      said.out.length = 0
      said.error.length = 0
      await main(['node', 'purser', ...words])
      const code = Number(process.exitCode ?? 0)
      process.exitCode = 0
      return { code, out: said.out.join('\n'), error: said.error.join('\n') }
    },
    async [Symbol.asyncDispose]() {
      restore()
      vi.restoreAllMocks()
      vi.unstubAllEnvs()
      await rm(folder, { recursive: true })
    },
  }
}

/** Makes standard output a terminal or none. Returns what puts it back. */
export function stubTerminal(isTerminal: boolean): () => void {
  const was = Object.getOwnPropertyDescriptor(process.stdout, 'isTTY')
  Object.defineProperty(process.stdout, 'isTTY', { value: isTerminal, configurable: true })
  return () => {
    if (was) Object.defineProperty(process.stdout, 'isTTY', was)
    else Reflect.deleteProperty(process.stdout, 'isTTY')
  }
}
