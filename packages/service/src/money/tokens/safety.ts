import type { TokenFacts } from '../../chain/client/tokens/facts.ts'
import type { TokenTrial } from '../../chain/client/tokens/trial.ts'

/** `not_found` does not mean `no`: the token may have the feature under an unknown name. */
export type Finding = { finding: 'yes' | 'no' | 'not_found'; found_by: string }
export const SAFETY_QUESTIONS = [
  'fee_on_transfer',
  'pausable',
  'blocklist',
  'rebasing',
  'upgradeable',
  'eip3009',
  'eip2612',
  'permit2',
] as const
export type Safety = Record<(typeof SAFETY_QUESTIONS)[number], Finding>

const PAUSING = ['paused()', 'isPaused(uint8)', 'pause()', 'unpause()']
const BLOCKING = [
  'isBlacklisted(address)',
  'isBlackListed(address)',
  'getBlackListStatus(address)',
  'blacklist(address)',
  'addBlackList(address)',
  'isBlocklisted(address)',
  'isBlocked(address)',
  'isFrozen(address)',
  'freeze(address)',
  'isDenied(address)',
  'policyId(bytes32)',
]
const REBASING = [
  'multiplier()',
  'rebase(uint256,int256)',
  'rebase(uint256)',
  'sharesOf(address)',
  'getPooledEthByShares(uint256)',
  'scaledBalanceOf(address)',
  'rebasingCreditsPerToken()',
]
const UPGRADING = ['upgradeTo(address)', 'upgradeToAndCall(address,bytes)']
const EIP3009 = [
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
]
const EIP2612 = ['permit(address,address,uint256,uint256,uint8,bytes32,bytes32)']
const STATE_3009 = 'authorizationState(address,bytes32)'
const [NONCES, SEPARATOR] = ['nonces(address)', 'DOMAIN_SEPARATOR()']
/** A function that no token has. A token that answers it would answer any call, so its answers prove nothing. */
const NONSENSE = 'purserAsksWhatNoTokenHas(address)'

/** The calls to a token whose answers `safetyOf` needs. */
export const SAFETY_ASKS = {
  functions: [...PAUSING, ...BLOCKING, ...REBASING, ...UPGRADING, ...EIP3009, ...EIP2612],
  calls: [
    ...['paused()', 'isPaused(uint8)', 'isBlacklisted(address)', 'multiplier()'],
    ...[STATE_3009, NONCES, SEPARATOR, NONSENSE],
  ],
}

/** The findings about a token that passed its trial, and how each was found. */
export function safetyOf(facts: TokenFacts, trial: TokenTrial & { outcome: 'passed' }): Safety {
  const tried = TRIED[trial.holderFrom]
  return {
    fee_on_transfer: { finding: 'no', found_by: `${tried}: all that was sent arrived` },
    pausable: facts.isB20 ? B20_PAUSES : seen(facts, PAUSING),
    blocklist: facts.isB20 ? B20_BLOCKS : seen(facts, BLOCKING),
    rebasing: seen(facts, REBASING),
    upgradeable: upgradeable(facts),
    eip3009: supported(facts, EIP3009, [STATE_3009]),
    eip2612: supported(facts, EIP2612, [NONCES, SEPARATOR]),
    permit2: trial.passesPermit2
      ? { finding: 'yes', found_by: `${tried}: Permit2 could move it` }
      : { finding: 'no', found_by: `${tried}: Permit2 could not move it` },
  }
}

const TRIED = {
  logs: 'A simulated transfer from a holder',
  storage: 'A simulated transfer of a balance that was assumed',
}
const B20_PAUSES: Finding = { finding: 'yes', found_by: 'Every B20 token can be paused' }
const B20_BLOCKS: Finding = { finding: 'yes', found_by: 'Every B20 token has transfer policies' }

function seen(facts: TokenFacts, functions: readonly string[]): Finding {
  const answered = answers(facts).find((call) => functions.includes(call))
  if (answered) return { finding: 'yes', found_by: `It answers ${answered}` }
  const named = functions.find((text) => facts.named.has(text))
  if (named) return { finding: 'yes', found_by: `Its code has ${named}` }
  return {
    finding: 'not_found',
    found_by: `Its code has none of ${functions.length} known functions`,
  }
}

/** Calls whose answers are meaningful. */
const answers = ({ answered }: TokenFacts): string[] =>
  answered.has(NONSENSE) ? [] : [...answered]

function upgradeable({ isB20, runs, named }: TokenFacts): Finding {
  if (isB20) return { finding: 'no', found_by: 'The node itself runs B20 tokens' }
  if (runs?.by === 'EIP-1167')
    return { finding: 'no', found_by: `It runs ${runs.address} for ever (EIP-1167)` }
  if (runs) return { finding: 'yes', found_by: `It runs ${runs.address}, by its ${runs.by} slot` }
  const upgrade = UPGRADING.find((text) => named.has(text))
  return upgrade
    ? { finding: 'yes', found_by: `Its code has ${upgrade}` }
    : { finding: 'not_found', found_by: 'No known slot names another contract' }
}

function supported(
  facts: TokenFacts,
  functions: readonly string[],
  calls: readonly string[],
): Finding {
  const named = functions.find((text) => facts.named.has(text))
  if (named) return { finding: 'yes', found_by: `Its code has ${named}` }
  const isAnswered = calls.every((call) => answers(facts).includes(call))
  return isAnswered
    ? { finding: 'yes', found_by: `It answers ${calls.join(' and ')}` }
    : { finding: 'no', found_by: `Its code has not ${functions[0]}` }
}
