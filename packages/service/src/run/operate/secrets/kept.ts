import type { Reader } from '../../../base/db/sql.ts'
import type { Hex } from '../../../base/kernel/assets.ts'
import { deriveKey, type SealKeys, Secret, seal, tryOpen } from '../../../base/kernel/secrets.ts'
import { sealKeyOf } from '../../../base/signing-keys/key-pair.ts'
import { depositRootOf } from '../../../chain/client/chain.ts'
import { localSigner } from '../../../chain/client/signers/local.ts'
import type { Config } from '../../config/config.ts'
import { type Accounts, accountsOf, type Keys } from '../keys.ts'
import { keptContext, readReplaced, readSealingMark } from './store.ts'

/** A word by which a secret is known. Its 256 random bits cannot be guessed from it. */
export const markOf = (secret: Secret): string =>
  deriveKey(secret, 'fingerprint of the settings').toString('hex')

/** The keys of a secret that outlive it: they hold money. */
type Kept = { depositRoot: Buffer; accounts: Accounts }

export function sealKept(secret: Secret, sealKey: SealKeys): Buffer {
  const { relayers, demo } = accountsOf(secret)
  const text = JSON.stringify({
    deposit_root: depositRootOf(secret).toString('base64'),
    relayers: relayers.map((key) => key.reveal()),
    demo_wallet: demo.reveal(),
  })
  return seal(sealKey, text, keptContext(markOf(secret)))
}

/** Empty for keys that were sealed by a secret which is not listed here. */
function openKept(sealKey: SealKeys, { mark, kept }: { mark: string; kept: Buffer }): Kept[] {
  const opened = tryOpen(sealKey, kept, keptContext(mark))
  if (!opened) return []
  const read = JSON.parse(opened.plaintext) as {
    deposit_root: string
    relayers: Hex[]
    demo_wallet: Hex
  }
  return [
    {
      depositRoot: Buffer.from(read.deposit_root, 'base64'),
      accounts: {
        relayers: read.relayers.map((key) => new Secret(key)),
        demo: new Secret(read.demo_wallet),
      },
    },
  ]
}

/** The keys of replaced secrets, the first one's first. */
export const readKept = async (on: Reader, sealKey: SealKeys): Promise<Kept[]> =>
  (await readReplaced(on)).flatMap((row) => openKept(sealKey, row))

/**
 * The keys as this database needs them: the secret that it names seals, and addresses of before a rotation stay. If no
 * secret here is that one, the keys stay as they are: `findSecretFault` says so.
 */
export async function fitKeys(config: Config, keys: Keys, on: Reader): Promise<Keys> {
  const { secrets } = keys
  const mark = await readSealingMark(on)
  const sealing = secrets.all.find((secret) => markOf(secret) === mark)
  if (mark === undefined || !sealing) return keys
  secrets.turnTo(sealing)
  const kept = await readKept(on, sealKeyOf(secrets))
  const accounts = kept[0]?.accounts ?? accountsOf(sealing)
  return {
    ...keys,
    demo: accounts.demo,
    relayers: config.chain.relayerKeys ? keys.relayers : accounts.relayers.map(localSigner),
    depositRoots: kept.map(({ depositRoot }) => depositRoot),
  }
}
