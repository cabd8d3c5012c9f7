import { fileURLToPath } from 'node:url'

/** The package's folder. In the bundle this is `dist/<sum>/service.js`, one folder deeper. */
export const PACKAGE = new URL(import.meta.url.endsWith('.ts') ? '../' : '../../', import.meta.url)

/** The program, for processes that the service starts. */
export const MAIN = fileURLToPath(new URL('src/main.ts', PACKAGE))
