// Vitest runs this before each file that may need a chain.
import { refreshChain } from './own-chain.ts'

await refreshChain()
