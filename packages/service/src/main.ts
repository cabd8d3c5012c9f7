import { findBundle } from './run/operate/bundle.ts'
import { endAtSignals } from './run/operate/processes/signals.ts'

// A child takes its orders from its parent.
if (!process.send) endAtSignals()

const bundle = findBundle()
// Stack traces name the sources all the same.
if (bundle) process.setSourceMapsEnabled(true)
const program: typeof import('./program.ts') = await import(bundle?.href ?? './program.ts')
await program.runProgram()
