import type { Reader } from '../../../base/db/sql.ts'
import type { CheckpointKeys } from '../../../base/signing-keys/checkpoint-keys.ts'
import { type Checkpoint, standingOf } from './checkpoint.ts'
import { findCheckpointByMac } from './store-checkpoints.ts'

/** A checkpoint as one line of JSON. Keep it where nobody with access to the database can change it. */
export function anchorLine(checkpoint: Checkpoint): string {
  const { seq, createdAt, keyId, mac, previous, seals, sealsHead, chains } = checkpoint
  return JSON.stringify({
    purser: 'anchor',
    checkpoint: String(seq),
    at: createdAt.toISOString(),
    key: keyId,
    mac: mac.toString('hex'),
    previous: previous.toString('hex'),
    seals: [String(seals), sealsHead.toString('hex')],
    chains: chains.map(({ chain, seq, head }) => [chain, String(seq), head.toString('hex')]),
  })
}

/** The checkpoint of a line. Undefined if the line is not an anchor. */
export function readAnchor(line: string): Checkpoint | undefined {
  try {
    const read = JSON.parse(line)
    if (read.purser !== 'anchor') return undefined
    return {
      seq: BigInt(read.checkpoint),
      createdAt: new Date(read.at),
      keyId: String(read.key),
      mac: Buffer.from(read.mac, 'hex'),
      previous: Buffer.from(read.previous, 'hex'),
      seals: BigInt(read.seals[0]),
      sealsHead: Buffer.from(read.seals[1], 'hex'),
      chains: read.chains.map(([chain, seq, head]: [number, string, string]) => ({
        chain,
        seq: BigInt(seq),
        head: Buffer.from(head, 'hex'),
      })),
    }
  } catch {
    return undefined
  }
}

/** Faults that the anchors of a file show in this database. One anchor a line; empty lines are ignored. */
export async function anchorFaults(
  on: Reader,
  { text, keys }: { text: string; keys: CheckpointKeys },
): Promise<string[]> {
  const faults: string[] = []
  const lines = text.split('\n').map((line, i) => ({ line: line.trim(), number: i + 1 }))
  const anchors = lines.filter(({ line }) => line !== '')
  if (anchors.length === 0) faults.push('the file holds no anchor')
  for (const { line, number } of anchors) {
    const anchor = readAnchor(line)
    const fault = anchor ? await faultOf(on, { anchor, keys }) : 'is not an anchor'
    if (fault) faults.push(`line ${number} ${fault}`)
  }
  return faults
}

async function faultOf(
  on: Reader,
  { anchor, keys }: { anchor: Checkpoint; keys: CheckpointKeys },
): Promise<string | undefined> {
  if (standingOf(anchor, keys) === 'forged') return 'was altered: its MAC does not fit'
  return (await findCheckpointByMac(on, anchor.mac))
    ? undefined
    : `anchors checkpoint ${anchor.seq} of ${anchor.createdAt.toISOString()}, which this database does not have: the database was set back or replaced`
}
