import type { FaultName } from './faults.ts'

/** The parts that are tried: those who pay, those who are paid, and a payer that must fail. */
export const PAYERS = ['POST /api/pay', 'SDK', 'CLI', 'MCP'] as const
export type PayerName = (typeof PAYERS)[number]
export const TAKERS = [
  'pay link by x402',
  'pay link by MPP',
  'paywall',
  'facilitator',
  'facilitator by Permit2',
] as const
export type TakerName = (typeof TAKERS)[number]
export const CONTROL = 'control'
export type SideName = PayerName | TakerName | typeof CONTROL
export const SIDES: readonly SideName[] = [...PAYERS, ...TAKERS, CONTROL]

export type Mode = {
  /** The fate of the first call with a payment, or the way of its caller. */
  what: string
  /** The fault on the wire; `none` where the caller is at fault. */
  fault: FaultName
  /** How many times the control pays, which signs anew on every failure, where it is tried. */
  control?: number
}

/** The seven of x402's issue 3208, by their names there. */
const OF_ISSUE = {
  clean: { what: 'Nothing goes wrong.', fault: 'none', control: 1 },
  accept_then_timeout: {
    what: 'The payment is taken, and no answer comes until the caller gives up.',
    fault: 'silent',
    control: 2,
  },
  '5xx_after_settle': {
    what: 'The payment is taken, and the answer is 502.',
    fault: 'bad gateway',
    control: 2,
  },
  double_402: {
    what: 'The payment is taken, and the answer asks for it again.',
    fault: 'demand again',
    control: 2,
  },
  slow_answer: {
    what: 'The answer comes just before the caller gives up.',
    fault: 'slow',
    control: 1,
  },
  reconcile_unavailable: {
    what: 'The payment is taken, its answer is lost, and nobody can read the chain until the caller has asked again.',
    fault: 'lost',
    control: 2,
  },
  declared_safe: {
    what: 'Nothing goes wrong, and the caller repeats the call four times: each is answered, none is refused.',
    fault: 'none',
    control: 4,
  },
} as const satisfies Record<string, Mode>

const OURS = {
  'answer lost': {
    what: 'The payment is taken, and the connection ends before the answer.',
    fault: 'lost',
    control: 2,
  },
  'answer cut': {
    what: 'The payment is taken, and the connection ends in the middle of the answer.',
    fault: 'half',
    control: 2,
  },
  overtaken: {
    what: 'The call arrives after the caller has given up and its repetition was answered.',
    fault: 'late',
    control: 2,
  },
  'delivered twice': {
    what: 'The call arrives twice, and the second answer is the one that comes back.',
    fault: 'twice',
    control: 2,
  },
  'settled twice': {
    what: 'The seller’s call to its facilitator arrives twice, and the second answer comes back.',
    fault: 'twice',
    control: 2,
  },
  'two at once': { what: 'The caller makes the call twice at once.', fault: 'none', control: 2 },
  'same key, other body': {
    what: 'The caller gives the name of the first call, or its payment, to another purchase: that one is refused.',
    fault: 'none',
  },
  'new key': {
    what: 'The answer is lost, and the payment is shown again under another Idempotency-Key.',
    fault: 'lost',
  },
  'no key': {
    what: 'The answer is lost, and the caller has given the call no name.',
    fault: 'lost',
  },
  killed: {
    what: 'The service is killed while the payment is on its way to the chain, and started again.',
    fault: 'none',
  },
} as const satisfies Record<string, Mode>

export const MODES = { ...OF_ISSUE, ...OURS }
export type ModeName = keyof typeof MODES
export const MODE_NAMES = Object.keys(MODES) as ModeName[]
export const isOfIssue = (mode: ModeName): boolean => mode in OF_ISSUE
export const modeOf = (mode: ModeName): Mode => MODES[mode]

/** Cases that mean nothing, and why. */
export const NOT_TRIED: readonly { mode: ModeName; sides: readonly SideName[]; why: string }[] = [
  {
    mode: 'settled twice',
    sides: ['pay link by x402', 'pay link by MPP', 'facilitator', 'facilitator by Permit2'],
    why: 'They ask no facilitator: a call that arrives twice there is `delivered twice`.',
  },
  {
    mode: 'new key',
    sides: [...PAYERS, CONTROL],
    why: 'For these another key is another purchase, as it says.',
  },
  {
    mode: 'new key',
    sides: ['pay link by x402', 'pay link by MPP', 'paywall'],
    why: 'They read no key: a payment is its own name.',
  },
  {
    mode: 'no key',
    sides: ['POST /api/pay', CONTROL],
    why: 'Without a key each call is a purchase of its own. The SDK, the CLI and the MCP server name each call.',
  },
  {
    mode: 'no key',
    sides: ['pay link by x402', 'pay link by MPP', 'paywall'],
    why: 'They read no key, so every other mode is this one.',
  },
  { mode: 'same key, other body', sides: [CONTROL], why: 'It has no keys.' },
  {
    mode: 'killed',
    sides: [CONTROL],
    why: 'It asks three times at once, and would be done before the service is back.',
  },
]

const isTried = (mode: ModeName, side: SideName): boolean =>
  !NOT_TRIED.some((left) => left.mode === mode && left.sides.includes(side))

/** The connection that has the fault. A payer has one to the seller, and its caller one to the service. */
export type Leg = 'seller' | 'service' | 'facilitator'
function legsOf(mode: ModeName): readonly Leg[] {
  if (mode === 'reconcile_unavailable') return ['seller']
  if (mode === 'settled twice') return ['facilitator']
  if (mode === 'no key') return ['service']
  return modeOf(mode).fault === 'none' ? ['seller'] : ['seller', 'service']
}

export type Case =
  | { mode: ModeName; side: PayerName; leg: Leg }
  | { mode: ModeName; side: TakerName }
  | { mode: ModeName; side: typeof CONTROL }

/** All cases, in the order of the modes and the sides. */
export const CASES: readonly Case[] = MODE_NAMES.flatMap((mode) => [
  ...PAYERS.filter((side) => isTried(mode, side)).flatMap((side) =>
    legsOf(mode).map((leg) => ({ mode, side, leg })),
  ),
  ...TAKERS.filter((side) => isTried(mode, side)).map((side) => ({ mode, side })),
  ...(isTried(mode, CONTROL) ? [{ mode, side: CONTROL } as const] : []),
])

/** The transfers that one purchase must make, and those that the control must make. */
export const required = (mode: ModeName, side: SideName): number =>
  side === CONTROL ? (modeOf(mode).control ?? 0) : 1

/** One case as it was played. */
export type Measured = {
  mode: ModeName
  side: SideName
  leg?: Leg
  /** Counted on the chain. */
  transfers: number
  /** The last word that the caller has had. */
  heard: string
}
