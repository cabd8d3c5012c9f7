import type { Logger } from 'pino'
import type { Db } from '../../../base/db/sql.ts'
import type { Network } from '../../../base/kernel/assets.ts'
import type { Chain } from '../../../chain/client/chain.ts'
import { StartError } from '../start-error.ts'
import { insertIdentity, readIdentities } from '../store.ts'

type Marks = {
  /** The embedded chain's own mark, or the hash of a public chain's first block; undefined if it did not answer. */
  identity: string | undefined
  /** The advice for a database of another chain. */
  remedy: string
}

/**
 * Binds a new database to the chain. Refuses a database of another chain, because its money would not be there. Assumes
 * that a public chain that does not answer is still the same.
 */
export async function checkIdentity(
  { db, chain, log }: { db: Db; chain: { network: Network }; log: Logger },
  { identity, remedy }: Marks,
): Promise<void> {
  const { network } = chain
  const [known] = await readIdentities(db.reader)
  if (identity === undefined) {
    if (known?.network !== network)
      throw new StartError(
        `No RPC of PURSER_RPC_URL answered, so that the chain ${network} cannot be recognized: check the address and the network.`,
      )
    log.warn({ network }, 'the chain did not answer; starting without it')
    return
  }
  if (!known) {
    await db.write((tx) => insertIdentity(tx, { network, identity }))
    return
  }
  if (known.network !== network)
    throw new StartError(
      `The database belongs to the chain ${known.network}, and this is ${network}: set PURSER_NETWORK as it was, or use another database.`,
    )
  if (known.identity !== identity)
    throw new StartError(
      `The database belongs to another chain of the id ${network} than the one it is started with, and the money that it remembers is not here: ${remedy}`,
    )
}

/** The hash of the first block, by which a public chain is known. Throws a sentence if an RPC is of another chain. */
export async function readPublicIdentity(chains: Chain[]): Promise<string | undefined> {
  const answers = await Promise.allSettled(chains.map(askIdentity))
  const wrong = answers.find((answer) => answer.status === 'rejected')
  if (wrong?.reason instanceof StartError) throw wrong.reason
  return answers.find((answer) => answer.status === 'fulfilled')?.value
}

async function askIdentity({ rpc, chainId, network }: Chain): Promise<string> {
  const [answered, first] = await Promise.all([rpc.getChainId(), rpc.getBlock({ blockNumber: 0n })])
  if (answered !== chainId)
    throw new StartError(
      `PURSER_RPC_URL answers as chain eip155:${answered}, but PURSER_NETWORK is ${network}: change one of the two.`,
    )
  return `genesis ${first.hash}`
}
