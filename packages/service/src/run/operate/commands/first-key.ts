import { mintFirstKey } from '../../../api/keys/api-key.ts'
import type { Db } from '../../../base/db/sql.ts'
import { normalAddress } from '../../../chain/client/reads.ts'
import type { Config } from '../../config/config.ts'
import { settingsOf } from '../../config/settings.ts'
import { noteCommand } from '../command-line.ts'

export type FirstKey = {
  base_url: string
  wallet_address: string
  key_hash: string
  api_key: string
}

/** Makes the first API key of a wallet that has never signed in. */
export async function makeFirstKey(
  { db }: { db: Db },
  at: Date,
  wallet: string,
  config: Config,
): Promise<FirstKey> {
  const address = normalAddress(wallet, 'The wallet')
  const { mode, publicUrl } = settingsOf(config, null)
  const { text, key } = await db.write(async (tx) => {
    const made = await mintFirstKey(tx, at, address, mode)
    await noteCommand(tx, at, { act: 'key.created', subject: made.key.hash.toString('hex') })
    return made
  })
  return {
    base_url: publicUrl,
    wallet_address: address,
    key_hash: key.hash.toString('hex'),
    api_key: text,
  }
}
