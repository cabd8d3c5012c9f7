import { expect } from 'vitest'
import gas from './gas.json' with { type: 'json' }

/** A change of less than this share passes. */
const GAS_TOLERANCE = 0.01

/** Fails if a call costs other gas than `gas.json` says, or if one of them is not measured. */
export function expectGas(contract: keyof typeof gas, measured: Record<string, number>): void {
  const before: Record<string, number> = gas[contract]
  expect(Object.keys(before)).toEqual(Object.keys(measured))
  for (const [name, now] of Object.entries(measured)) {
    const known = before[name] ?? 0
    const change = Math.abs(now - known) / known
    expect(change, `gas.json says ${known} for ${name}; it is ${now}`).toBeLessThan(GAS_TOLERANCE)
  }
}
