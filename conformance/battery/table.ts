import {
  CASES,
  type Case,
  isOfIssue,
  type Measured,
  MODE_NAMES,
  type ModeName,
  modeOf,
  NOT_TRIED,
  required,
  SIDES,
  type SideName,
} from './modes.ts'

/** In `docs/conformance.md` the section stands between these. */
const BEGIN = '<!-- retry battery: written by npm run battery -->'
const END = '<!-- end of the retry battery -->'

/** The figures that every case must end with. */
export const REQUIRED: Measured[] = CASES.map((one) => ({
  ...one,
  transfers: required(one.mode, one.side),
  heard: 'paid',
}))

/** The cases that ended otherwise, or were not played, in words. */
export const failuresIn = (measured: readonly Measured[]): string[] => [
  ...CASES.filter((one) => !measured.some((made) => isSame(made, one))).map(
    (one) => `${titleOf(one)}: was not played`,
  ),
  ...wrongIn(measured),
]

/** The cases that ended otherwise, in words. */
export const wrongIn = (measured: readonly Measured[]): string[] =>
  measured.flatMap((made) => {
    const right = required(made.mode, made.side)
    if (made.transfers === right && made.heard === 'paid') return []
    return [
      `${titleOf(made)}: ${made.transfers} transfers for ${right}, and the caller heard: ${made.heard}`,
    ]
  })

export function titleOf(one: Case | Measured): string {
  const way = 'leg' in one ? `, on its way to the ${one.leg}` : ''
  return `${one.mode}: ${one.side}${way}`
}

const isSame = (made: Measured, one: Case): boolean =>
  made.mode === one.mode &&
  made.side === one.side &&
  made.leg === ('leg' in one ? one.leg : undefined)

/** The table of mode and side, its cells the transfers counted on the chain. */
export const rowsOf = (measured: readonly Measured[]): string[][] => [
  ['', ...SIDES],
  ...MODE_NAMES.map((mode) => [mode, ...SIDES.map((side) => cellOf(measured, mode, side))]),
]

/** A payer has a figure for each connection that the mode was played on. */
function cellOf(measured: readonly Measured[], mode: ModeName, side: SideName): string {
  const made = measured.filter((one) => one.mode === mode && one.side === side)
  return made.length === 0 ? '-' : made.map(({ transfers }) => transfers).join(', ')
}

const OF_ISSUE = MODE_NAMES.filter(isOfIssue)
const OURS = MODE_NAMES.filter((mode) => !isOfIssue(mode))
const listed = (modes: readonly ModeName[]): string =>
  modes.map((mode) => `- \`${mode}\`: ${modeOf(mode).what}`).join('\n')

/** The section of `docs/conformance.md`. */
export const renderBattery = (
  measured: readonly Measured[],
  table: (head: readonly string[], rows: readonly (readonly string[])[]) => string,
): string => {
  const [head = [], ...rows] = rowsOf(measured)
  return `${BEGIN}
## Retry battery

Whoever does not hear what became of a payment asks again. The battery lets answers be lost, late, doubled and wrong, repeats each
call until its end is known, and counts the transfers on the chain: each purchase must make one, and its caller must
hear in the end that it is paid. \`npm run battery\` runs it, prints this table and writes it here, and exits with 1 if
a case ended otherwise. \`npm run test:slow\` plays the same cases.

\`npm run battery -- --url https://seller.example/report --max-amount 0.05\` lets the SDK buy from any seller, once in each mode that
needs no more of it: \`PURSER_BASE_URL\` and \`PURSER_API_KEY\` name the wallet that pays, with real money where the chain is real. It issues
a card for each purchase and cancels it, and counts the payments that the service saw on the chain. The fault is between caller and
service; if seller and service are both on this machine, it is also between them.

Payers buy from a seller of \`@x402/express\`; the fault is on the connection between service and seller, and then between caller and
service, so their cells have a figure for each. Parts that are paid are shown one signed payment again and again. The
control must fail: it takes each failure for a payment that was not made, and signs another.

${table(head, rows)}

The modes of [x402's issue 3208](https://github.com/x402-foundation/x402/issues/3208), by their names there:

${listed(OF_ISSUE)}

Ours:

${listed(OURS)}

Not tried:

${NOT_TRIED.map(({ mode, sides, why }) => `- \`${mode}\` by ${sides.join(', ')}: ${why}`).join('\n')}
${END}`
}

/** The document with another section of the battery. */
export function replaceBattery(document: string, section: string): string {
  const begin = document.indexOf(BEGIN)
  const end = document.indexOf(END)
  if (begin < 0 || end < 0) throw new Error('the document has no section for the battery')
  return document.slice(0, begin) + section + document.slice(end + END.length)
}
