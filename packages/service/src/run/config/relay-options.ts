import type { RelayOptions } from '../../chain/relay/relay.ts'
import { DEV_SETTLER } from '../embedded/dev/chain.ts'
import type { Config } from './config.ts'

/** The embedded chain includes every transaction in the next block. */
const REPLACE_AFTER_BLOCKS = 3

/** The way this configuration delivers calls to the chain. */
export const relayOptionsOf = ({ chain }: Config): RelayOptions =>
  chain.kind === 'embedded'
    ? { settler: DEV_SETTLER, replaceAfterBlocks: REPLACE_AFTER_BLOCKS }
    : { settler: chain.batchSettler }
