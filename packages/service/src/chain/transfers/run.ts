import { setTimeout as sleep } from 'node:timers/promises'
import { isMomentary, LOOK_AGAIN_MS, LOOKS_MOST, type Rationed } from '../relay/gas/reserve.ts'
import { followTransfer, type Here, type Life } from './follow.ts'

/** An end before any claim: the caller gets this outcome. */
export type Over<Outcome> = { kind: 'over'; outcome: Outcome }
export type Seen<Good, Outcome> = { kind: 'good'; good: Good } | Over<Outcome>
export type Claimed<Outcome> =
  | { kind: 'claimed'; life: Life<Outcome> }
  /** The relayers' gas, or the payer's money, is rationed: nothing is written. */
  | { kind: 'rationed'; rationed: Rationed }
  | Over<Outcome>

/** A transfer that its payer has signed, before anything of it is written. */
export type NewTransfer<Good, Outcome> = {
  /** Asks the chain whether it would make the transfer now, and what is to be claimed then. */
  look(): Promise<Seen<Good, Outcome>>
  /** Writes the claim, what it reserves and its send, all in one transaction. */
  claim(good: Good): Promise<Claimed<Outcome>>
  onRationed(rationed: Rationed): Outcome
}

export const over = <Outcome>(outcome: Outcome): Over<Outcome> => ({ kind: 'over', outcome })

/**
 * Runs a signed transfer from the first look at it to its end in a block: look, claim, submit, wait, end. It is looked at
 * again, a few times, while a block that changes the payer's balance is about to be written down.
 */
export async function runTransfer<Good, Outcome>(
  here: Here,
  transfer: NewTransfer<Good, Outcome>,
): Promise<Outcome> {
  for (let looks = 1; ; looks++) {
    const seen = await transfer.look()
    const claimed = seen.kind === 'good' ? await transfer.claim(seen.good) : seen
    if (claimed.kind === 'over') return claimed.outcome
    if (claimed.kind === 'claimed') return followTransfer(here, claimed.life)
    if (!isMomentary(claimed.rationed) || looks === LOOKS_MOST)
      return transfer.onRationed(claimed.rationed)
    await sleep(LOOK_AGAIN_MS)
  }
}
