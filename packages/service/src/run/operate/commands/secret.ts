import { readRotation, rotateSecret } from '../secrets/rotate.ts'
import { countSealed, namedCounts, type Standing } from '../secrets/sealed.ts'
import type { Attached } from '../start/attach.ts'
import { StartError } from '../start-error.ts'
import { drawingProgress } from './verify.ts'

export const isSecretOrder = ([verb, ...flags]: readonly string[]): boolean =>
  verb === undefined ||
  (verb === 'rotate' && (flags.length === 0 || (flags.length === 1 && flags[0] === '--dry-run')))

type SecretState = Awaited<ReturnType<typeof readRotation>> & {
  /** Whether older ones are listed too. */
  hasOthers: boolean
  /** How much of each kind is sealed, by what opens it. */
  standings: Standing[]
  resealed: number
}

type Order = {
  args: readonly string[]
  asJson: boolean
  terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>
}

/**
 * Says what the secrets here have sealed, for a person or a program. With `rotate` the first of them seals everything from
 * now on.
 */
export async function orderSecret(
  books: Attached,
  now: () => Promise<Date>,
  { args: [verb, flag], asJson, terminal }: Order,
): Promise<string> {
  const { db, secrets, wantedSecret } = books
  secrets.turnTo(wantedSecret)
  const resealed =
    verb === 'rotate' && flag !== '--dry-run' ? await rotate(books, now, terminal) : 0
  const state = {
    ...(await readRotation(db, wantedSecret)),
    hasOthers: secrets.all.length > 1,
    standings: await countSealed(db.reader, secrets),
    resealed,
  }
  return asJson ? secretJson(state) : secretText(state)
}

async function rotate(
  { db, secrets, wantedSecret: wanted, checkpointKeys }: Attached,
  now: () => Promise<Date>,
  terminal: Order['terminal'],
): Promise<number> {
  const { isSealing, isRetired } = await readRotation(db, wanted)
  if (isSealing && isRetired && secrets.all.length === 1)
    throw new StartError(
      'There is no new secret: put one before the old, PURSER_SECRET=<new>,<old>, where <new> is the output of "openssl rand -hex 32".',
    )
  const left = sumOf(await countSealed(db.reader, secrets))
  let resealed = 0
  const work = (progress: (done: number, of: number) => void) => {
    const written = async ({ rows }: { rows: number }) => {
      resealed += rows
      progress(resealed, left)
    }
    return rotateSecret({ db, secrets, wanted, checkpointKeys, now, written })
  }
  await drawingProgress(terminal, work, 'rows')
  return resealed
}

const sumOf = (standings: readonly Standing[]): number =>
  standings.reduce((sum, { previous }) => sum + previous, 0)

function secretText(state: SecretState): string {
  const { isSealing, isRetired, hasOthers, machines, standings, resealed } = state
  const left = namedCounts(standings, 'previous')
  const lost = namedCounts(standings, 'lost')
  const behind = machines.filter(({ lists }) => !lists)
  return [
    isSealing
      ? 'The first secret of PURSER_SECRET seals.'
      : 'The first secret of PURSER_SECRET does not seal yet: run "npx purser secret rotate".',
    ...(resealed > 0 ? [`Sealed anew: ${resealed}.`] : []),
    left ? `Not sealed by it: ${left}.` : 'Nothing is left that another one has sealed.',
    ...(lost ? [`Opened by no secret that is listed here: ${lost}.`] : []),
    ...behind.map(({ host, pid }) => `${host} (process ${pid}) does not list it.`),
    ...(hasOthers && isSealing && isRetired && !left
      ? ['Set PURSER_SECRET to this secret alone on every machine, and restart them.']
      : []),
  ].join('\n')
}

const secretJson = (state: SecretState): string =>
  JSON.stringify(
    {
      seals: state.isSealing,
      done: state.isSealing && state.isRetired && !namedCounts(state.standings, 'previous'),
      resealed: state.resealed,
      sealed: state.standings.map(({ what, current, previous, lost }) => ({
        ...{ what, by_first: current, by_others: previous, by_unlisted: lost },
      })),
      machines: state.machines,
    },
    null,
    2,
  )
