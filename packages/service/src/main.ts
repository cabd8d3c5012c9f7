import { findBundle } from './operate/bundle.ts'

const bundle = findBundle()
// Stack traces name the sources all the same.
if (bundle) process.setSourceMapsEnabled(true)
const program: typeof import('./program.ts') = await import(bundle?.href ?? './program.ts')
await program.runProgram()
