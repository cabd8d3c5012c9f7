import { open } from 'node:fs/promises'
import type { Db } from '../../../base/db/sql.ts'
import type { Egress } from '../../../base/egress/egress.ts'
import type { Hex } from '../../../base/kernel/assets.ts'
import type { CheckpointKeys } from '../../../base/signing-keys/checkpoint-keys.ts'
import type { Chain } from '../../../chain/client/chain.ts'
import { queueSend } from '../../../chain/relay/send.ts'
import { anchorFaults, anchorLine } from '../../../money/ledger/seals/anchor.ts'
import type { Checkpoint } from '../../../money/ledger/seals/checkpoint.ts'
import { sealBooks } from '../../../money/ledger/seals/seal-books.ts'
import { findCheckpointByMac } from '../../../money/ledger/seals/store-checkpoints.ts'
import type { Fault } from '../../../money/ledger/verify/verify.ts'
import { StartError } from '../start-error.ts'

type Books = { db: Db; chain: Chain; checkpointKeys: CheckpointKeys }
export type AnchorTo = { file?: string; url?: string; chain: boolean }

/** The gas of an empty transfer with 32 bytes. Some chains charge more for calldata than others. */
const ANCHOR_GAS = 60_000n
const MAC_BYTES = 32

/** Undefined if no place is named, or if there are other arguments. */
export function readAnchorTo(args: string[]): AnchorTo | undefined {
  const to: AnchorTo = { chain: false }
  for (let i = 0; i < args.length; i++) {
    const value = args[i + 1]
    if (args[i] === '--chain') to.chain = true
    else if (args[i] === '--file' && value) to.file = value
    else if (args[i] === '--url' && value) to.url = value
    else return undefined
    if (args[i] !== '--chain') i++
  }
  return to.chain || to.file || to.url ? to : undefined
}

/** Seals the books up to now, and writes the checkpoint to each place. Returns the checkpoint. */
export async function anchorBooks(
  { db, chain, checkpointKeys: keys }: Books,
  at: Date,
  { to, egress }: { to: AnchorTo; egress: Egress },
): Promise<Checkpoint> {
  const { faults, newest } = await sealBooks(db, at, { keys })
  if (faults.length > 0)
    throw new StartError(
      `The books were changed behind a checkpoint: ${faults[0]}. Run purser verify.`,
    )
  if (!newest) throw new StartError('There is nothing to anchor yet: the books are empty.')
  const line = anchorLine(newest)
  if (to.file !== undefined) await append(to.file, line)
  if (to.url !== undefined) await send(egress, to.url, line)
  if (to.chain) await db.write((tx) => queueAnchor(tx, at, { chain, newest }))
  return newest
}

/** Queues one transaction in which a relayer writes the checkpoint's MAC to the chain. */
export const queueAnchor = (
  tx: Parameters<typeof queueSend>[0],
  at: Date,
  { chain, newest }: { chain: Chain; newest: Checkpoint },
): Promise<void> =>
  queueSend(tx, at, {
    ref: anchorRef(newest),
    to: chain.treasury.address,
    data: `0x${newest.mac.toString('hex')}`,
    gas: ANCHOR_GAS,
  })

export const anchorRef = ({ seq }: Pick<Checkpoint, 'seq'>): string => `anchor:${seq}`

async function append(path: string, line: string): Promise<void> {
  const file = await open(path, 'a', 0o600)
  try {
    await file.appendFile(`${line}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function send(egress: Egress, url: string, line: string): Promise<void> {
  const { status } = await egress.fetch({
    url,
    method: 'POST',
    body: line,
    headers: { 'content-type': 'application/json' },
  })
  if (status < 200 || status > 299)
    throw new StartError(`${new URL(url).host} answered ${status}: the anchor was not taken.`)
}

/** Compares the books with an anchor: a file of lines, or the hash of a transaction with a checkpoint's MAC. */
export async function checkAnchor(
  { db, chain, checkpointKeys: keys }: Books,
  anchor: { where: string; read(path: string): Promise<string> },
): Promise<Fault[]> {
  const { where } = anchor
  const faults = /^0x[0-9a-fA-F]{64}$/.test(where)
    ? await chainFaults({ db, chain }, where as Hex)
    : await anchorFaults(db.reader, { text: await anchor.read(where), keys })
  return faults.map((fault) => ({ check: 'anchor', fault: `${where}: ${fault}` }))
}

async function chainFaults(
  { db, chain }: Pick<Books, 'db' | 'chain'>,
  hash: Hex,
): Promise<string[]> {
  const { input } = await chain.rpc.getTransaction({ hash })
  const mac = Buffer.from(input.slice(2), 'hex')
  if (mac.length !== MAC_BYTES) return ['the transaction carries no anchor']
  return (await findCheckpointByMac(db.reader, mac))
    ? []
    : [
        'anchors a checkpoint that this database does not have: the database was set back or replaced',
      ]
}
