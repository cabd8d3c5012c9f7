import { expect } from 'vitest'
import {
  EVIDENCE_PARTS,
  type KnownEvidence,
  verifyEvidence,
} from '../../../sdk/src/proof/evidence.ts'
import { ProofError } from '../../../sdk/src/proof/shape.ts'

/** Flips each byte of a pack, one at a time: each is named, and one within a part by the name of the part. */
export async function expectEachFlipNamed(text: string, known: KnownEvidence): Promise<void> {
  const bytes = Buffer.from(text)
  const { parts } = JSON.parse(text) as { parts: Record<string, string> }
  const placeOf = new Map(
    EVIDENCE_PARTS.map((name) => {
      const quoted = JSON.stringify(parts[name])
      const start = text.indexOf(`"${name}":${quoted}`) + name.length + 4
      return [name, { start, end: start + quoted.length - 2 }]
    }),
  )
  for (let i = 0; i < bytes.length; i++) {
    const flipped = Buffer.from(bytes)
    flipped[i]! ^= 1
    const said = await verifyEvidence(flipped.toString(), known).then(
      ({ ok, faults }) => ({ ok, words: faults.join(' ') }),
      (error) => {
        if (!(error instanceof ProofError)) throw error
        return { ok: false, words: error.message }
      },
    )
    expect([i, said.ok, said.words]).toEqual([i, false, expect.stringMatching(/\w/)])
    const part = [...placeOf].find(([, { start, end }]) => i >= start && i < end)?.[0]
    const isForm = /not JSON|not written as/.test(said.words)
    if (part && !isForm) expect(said.words).toBe(`The part ${part} is not what was signed.`)
  }
}
