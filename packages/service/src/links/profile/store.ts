import { one, type Reader, sql, type Tx } from '../../base/db/sql.ts'
import type { LogoFile } from './logo/logo.ts'

/** How a seller shows itself to payers. Null: nothing was given. */
export type Profile = {
  name: string | null
  supportUrl: string | null
  accent: string | null
  /** SHA-256 of the logo, hex: its address. */
  logoHash: string | null
  updatedAt: Date
}

const COLUMNS = sql.raw('name, support_url, accent, logo_hash, updated_at')

export const findProfile = (on: Reader, walletAddress: string): Promise<Profile | undefined> =>
  one<Profile>(on, sql`select ${COLUMNS} from profiles where wallet_address = ${walletAddress}`)

/** A logo that some profile shows now. */
export const findLogo = (on: Reader, hash: string): Promise<LogoFile | undefined> =>
  one<LogoFile>(
    on,
    sql`select logo_type as type, logo as bytes from profiles where logo_hash = ${hash} limit 1`,
  )

/** Makes the wallet's profile if there is none yet, and locks it. */
export async function lockProfile(tx: Tx, at: Date, walletAddress: string): Promise<Profile> {
  await sql`insert into profiles (wallet_address, updated_at) values (${walletAddress}, ${at})
    on conflict do nothing`.execute(tx)
  const row = await one<Profile>(
    tx,
    sql`select ${COLUMNS} from profiles where wallet_address = ${walletAddress} for update`,
  )
  return row as Profile
}

export async function saveProfile(
  tx: Tx,
  walletAddress: string,
  { name, supportUrl, accent, updatedAt }: Profile,
): Promise<void> {
  await sql`update profiles set name = ${name}, support_url = ${supportUrl}, accent = ${accent},
      updated_at = ${updatedAt} where wallet_address = ${walletAddress}`.execute(tx)
}

/** Sets or removes the logo, and answers its hash. */
export async function saveLogo(
  tx: Tx,
  walletAddress: string,
  logo: LogoFile | null,
): Promise<string | null> {
  const row = await one<{ logoHash: string | null }>(
    tx,
    sql`update profiles set logo = ${logo?.bytes ?? null}, logo_type = ${logo?.type ?? null}
      where wallet_address = ${walletAddress} returning logo_hash`,
  )
  return row?.logoHash ?? null
}
