import type { Db } from '../../../base/db/sql.ts'
import type { CheckpointKeys } from '../../../base/signing-keys/checkpoint-keys.ts'
import type { Keyring } from '../../../base/signing-keys/keyring.ts'
import type { Config } from '../../config/config.ts'
import { noteCommand } from '../command-line.ts'
import type { Keys } from '../keys.ts'
import { findSecretFault } from '../secrets/check.ts'
import { markOf } from '../secrets/kept.ts'
import { renewCheckpoint } from '../secrets/renew-checkpoint.ts'
import { retireReplaced, SECRET_SETTING as SECRET } from '../secrets/store.ts'
import { StartError } from '../start-error.ts'
import { insertSettings, readSettings, replaceSettings } from '../store.ts'

/** A variable that must be equal on all machines of a database, with its value as it may be stored and shown. */
export type AgreedSettings = Readonly<Record<string, string>>
export type Difference = { name: string; agreed: string | undefined; here: string | undefined }
type Signers = {
  secrets: Keys['secrets']
  treasury: { address: string }
  relayers: readonly { address: string }[]
}

/**
 * This machine's settings. The data folder's lock lets only one service use an embedded chain. With an embedded chain,
 * only the settings that open stored secrets and hold the money must stay the same.
 */
export function settingsHere(
  config: Config,
  { secrets, treasury, relayers }: Signers,
): AgreedSettings {
  const kept = {
    [SECRET]: markOf(secrets.current),
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
    PURSER_PAYOUT_DAILY_CAP_WALLET: String(config.payouts.walletCap ?? ''),
    PURSER_PAYOUT_DAILY_CAP: String(config.payouts.treasuryCap ?? ''),
    PURSER_PAYOUT_APPROVAL_ABOVE: String(config.payouts.approvalAbove ?? ''),
    PURSER_PAYOUT_ADDRESS_DELAY: String(config.payouts.addressDelay ?? ''),
    PURSER_FACILITATOR_PAY_TO: config.facilitatorPayTo,
    PURSER_CRT_VESTING_DAYS: String(config.credentials.vestingDays),
    PURSER_CREDIT_LEVELS: config.creditLevels
      .map(({ from, finality }) => `${from}:${finality}`)
      .join(','),
  }
}

/** Stores the settings of the first machine. On a later one, throws a sentence that names the differences. */
export async function checkSettings(
  db: Db,
  at: Date,
  { here, secrets }: { here: AgreedSettings; secrets: Keyring },
): Promise<void> {
  const known = await readSettings(db.reader)
  if (Object.keys(here).some((name) => known[name] === undefined))
    await db.write((tx) => insertSettings(tx, at, here))
  const different = differences(await readSettings(db.reader), here).filter(
    ({ name }) => name !== SECRET,
  )
  const fault = await findSecretFault(db.reader, secrets)
  if (different.length === 0 && !fault) return
  const sentence =
    `Other machines of this database have other settings: ${different.map(sentenceFor).join('; ')}. ` +
    'Set them as there. If the change is meant, stop every machine, run "npx purser settings accept" with the new settings, and start them with the same.'
  throw new StartError(
    [...(different.length > 0 ? [sentence] : []), ...(fault ? [fault] : [])].join(' '),
  )
}

/**
 * Makes this machine's settings the ones that every start is compared with. Returns the changes. Another secret is taken
 * only if the old one is said to be lost; it then seals the books as they are.
 */
export async function acceptSettings(
  db: Db,
  at: Date,
  {
    here,
    secrets,
    checkpointKeys: keys,
    isSecretLost,
  }: {
    here: AgreedSettings
    secrets: Keyring
    checkpointKeys: CheckpointKeys
    isSecretLost: boolean
  },
): Promise<Difference[]> {
  const fault = await findSecretFault(db.reader, secrets)
  if (fault && !isSecretLost)
    throw new StartError(
      `${fault} If the old secret is lost for good, and what it sealed with it, add --secret-lost.`,
    )
  // First, so that a refusal leaves all as it was.
  if (isSecretLost) await renewCheckpoint(db, at, { keys, isKeyLost: true })
  const before = await readSettings(db.reader)
  const different = differences(before, here)
  await db.write(async (tx) => {
    await replaceSettings(tx, at, here)
    if (isSecretLost) await retireReplaced(tx, at)
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
