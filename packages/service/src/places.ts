import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const isBundle = !import.meta.url.endsWith('.ts')
/** The package's folder. In the bundle this is `dist/<sum>/service.js`, one folder deeper. */
export const PACKAGE = new URL(isBundle ? '../../' : '../', import.meta.url)

/** The program, for processes that the service starts. */
export const MAIN = fileURLToPath(new URL('src/main.ts', PACKAGE))

/** The program between the service and its chain. Later builds may have removed the bundle that runs. */
export function guardProgram(): string {
  const bundled = new URL('guard.js', import.meta.url)
  const source = new URL('src/run/embedded/anvil/guard.ts', PACKAGE)
  return fileURLToPath(isBundle && existsSync(bundled) ? bundled : source)
}
