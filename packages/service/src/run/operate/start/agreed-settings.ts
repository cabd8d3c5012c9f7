import type { Db } from '../../../base/db/sql.ts'
import { deriveKey } from '../../../base/kernel/secrets.ts'
import type { Config } from '../../config/config.ts'
import { noteCommand } from '../command-line.ts'
import type { Keys } from '../keys.ts'
import { StartError } from '../start-error.ts'
import { insertSettings, readSettings, replaceSettings } from '../store.ts'

/** A variable that must be equal on all machines of a database, with its value as it may be stored and shown. */
export type AgreedSettings = Readonly<Record<string, string>>
export type Difference = { name: string; agreed: string | undefined; here: string | undefined }
type Signers = {
  secret: Keys['secret']
  treasury: { address: string }
  relayers: readonly { address: string }[]
}

/** Its values are keys: they are compared but not shown. */
const SECRET = 'PURSER_SECRET'

/**
 * This machine's settings. The data folder's lock lets only one service use an embedded chain. With an embedded chain,
 * only the settings that open stored secrets and hold the money must stay the same.
 */
export function settingsHere(
  config: Config,
  { secret, treasury, relayers }: Signers,
): AgreedSettings {
  const kept = {
    [SECRET]: deriveKey(secret, 'fingerprint of the settings').toString('hex'),
    PURSER_OPERATOR_KEY: treasury.address,
    PURSER_NETWORK: config.asset.network,
  }
  if (config.chain.kind === 'embedded') return kept
  return {
    ...kept,
    PURSER_RELAYER_KEYS: relayers
      .map(({ address }) => address)
      .sort()
      .join(','),
    PURSER_SERVICE_TOKEN: config.serviceToken
      ? `${config.serviceToken.contract}:${config.serviceToken.symbol}:${config.serviceToken.decimals}`
      : '',
    PURSER_BATCH_SETTLER: config.chain.batchSettler ?? '',
    PURSER_CREDENTIAL_VAULT: config.credentials.vault ?? '',
    PURSER_CREDENTIAL_MARKET: config.onChainSales.market ?? '',
    PURSER_REVENUE_ADDRESS: config.onChainSales.revenue ?? '',
    PURSER_OPERATORS: (config.operators ?? []).toSorted().join(','),
    PUBLIC_URL: config.publicUrl,
    PURSER_FEE_BPS: String(config.fee.bps),
    PURSER_FEE_FLAT: String(config.fee.flat),
    PURSER_WITHDRAWAL_FEE: String(config.withdrawal.fee),
    PURSER_SERVICE_TOKEN_WITHDRAWAL_FEE: String(config.tokenWithdrawal.fee),
    PURSER_SERVICE_TOKEN_WITHDRAWAL_MINIMUM: String(config.tokenWithdrawal.minimum),
    PURSER_WITHDRAWAL_MINIMUM: String(config.withdrawal.minimum),
    PURSER_FACILITATOR_PAY_TO: config.facilitatorPayTo,
    PURSER_CRT_VESTING_DAYS: String(config.credentials.vestingDays),
    PURSER_CREDIT_LEVELS: config.creditLevels
      .map(({ from, finality }) => `${from}:${finality}`)
      .join(','),
  }
}

/** Stores the settings of the first machine. On a later one, throws a sentence that names the differences. */
export async function checkSettings(db: Db, at: Date, here: AgreedSettings): Promise<void> {
  await db.write((tx) => insertSettings(tx, at, here))
  const different = differences(await readSettings(db.reader), here)
  if (different.length === 0) return
  throw new StartError(
    `Other machines of this database have other settings: ${different.map(sentenceFor).join('; ')}. ` +
      'Set them as there. If the change is meant, stop every machine, run "npx purser settings accept" with the new settings, and start them with the same.',
  )
}

/** Makes this machine's settings the ones that every start is compared with. Returns the changes. */
export async function acceptSettings(
  db: Db,
  at: Date,
  here: AgreedSettings,
): Promise<Difference[]> {
  const before = await readSettings(db.reader)
  const different = differences(before, here)
  await db.write(async (tx) => {
    await replaceSettings(tx, at, here)
    // The names alone: one of the values is derived from a secret.
    for (const { name } of different)
      await noteCommand(tx, at, { act: 'settings.accepted', subject: name })
  })
  return different
}

/** The settings in which the machine differs from the stored ones. */
export const compareSettings = async (db: Db, here: AgreedSettings): Promise<Difference[]> =>
  differences(await readSettings(db.reader), here)

const differences = (agreed: AgreedSettings, here: AgreedSettings): Difference[] =>
  Object.entries(here)
    .filter(([name, value]) => agreed[name] !== value)
    .map(([name, value]) => ({ name, agreed: agreed[name], here: value }))

const sentenceFor = ({ name, agreed, here }: Difference): string =>
  name === SECRET ? `${name} is another one` : `${name} is ${shown(here)}, there ${shown(agreed)}`

const shown = (value: string | undefined): string => value || 'empty'

/** The differences for a person. */
export function settingsText(different: readonly Difference[], verb: string): string {
  if (different.length === 0) return 'The settings here are those that every machine has.'
  return [verb, ...different.map((each) => `  ${sentenceFor(each)}`)].join('\n')
}

/** The differences for a program. */
export const settingsJson = (different: readonly Difference[]): string =>
  JSON.stringify(
    {
      same: different.length === 0,
      different: different.map(({ name, agreed, here }) =>
        name === SECRET ? { name } : { name, agreed: agreed ?? null, here: here ?? null },
      ),
    },
    null,
    2,
  )
