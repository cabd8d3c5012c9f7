import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const isBundle = !import.meta.url.endsWith('.ts')
/** The package's folder. In the bundle this is `dist/<sum>/service.js`, one folder deeper. */
export const PACKAGE = new URL(isBundle ? '../../' : '../', import.meta.url)

/** The program, for processes that the service starts. The published package has no sources. */
export const MAIN = besideBundle('main.js', 'src/main.ts')

/** The program between the service and its chain. Later builds may have removed the bundle that runs. */
export const guardProgram = (): string =>
  besideBundle('guard.js', 'src/run/embedded/anvil/guard.ts')

function besideBundle(file: string, source: string): string {
  const bundled = new URL(file, import.meta.url)
  return fileURLToPath(isBundle && existsSync(bundled) ? bundled : new URL(source, PACKAGE))
}
