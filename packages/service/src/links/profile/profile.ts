import type { Tx } from '../../base/db/sql.ts'
import type { LogoFile } from './logo/logo.ts'
import { lockProfile, type Profile, saveLogo, saveProfile } from './store.ts'

/** A missing member changes nothing; null removes. */
export type ProfileChange = {
  name?: string | null
  supportUrl?: string | null
  accent?: string | null
  logo?: LogoFile | null
}

/** Changes the wallet's profile. Its values were checked before. */
export async function changeProfile(
  tx: Tx,
  at: Date,
  { walletAddress, change }: { walletAddress: string; change: ProfileChange },
): Promise<Profile> {
  const { logo, ...texts } = change
  const before = await lockProfile(tx, at, walletAddress)
  const after: Profile = { ...before, ...texts, updatedAt: at }
  await saveProfile(tx, walletAddress, after)
  return logo === undefined
    ? after
    : { ...after, logoHash: await saveLogo(tx, walletAddress, logo) }
}
