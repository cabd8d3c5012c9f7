import type { CallToolResult } from '@modelcontextprotocol/server'
import { PurserError } from '@purser/sdk'
import { shown } from './untrusted.ts'
import { ToolRefusal } from './wallet.ts'

const SENTENCE_MAX = 1_000

/**
 * A result: a sentence for the model, then the rest of the text. The data has the sentence too: some clients show the text
 * alone, others the data.
 */
export const result = (
  sentence: string,
  structuredContent: Record<string, unknown>,
  more: readonly string[] = [],
): CallToolResult => ({
  content: [sentence, ...more].map((text) => ({ type: 'text' as const, text })),
  structuredContent: { summary: sentence, ...structuredContent },
})

/** The answer of a tool that could not do its work. Anything else that was thrown is our fault, and thrown on. */
export function failure(error: unknown): CallToolResult {
  const { code, message } = reasonOf(error)
  return {
    isError: true,
    content: [{ type: 'text', text: `${message} (${code})` }],
    _meta: { 'purser/error': { code, message } },
  }
}

export function reasonOf(error: unknown): { code: string; message: string } {
  if (!(error instanceof PurserError || error instanceof ToolRefusal)) throw error
  return { code: error.code, message: shown(error.message, SENTENCE_MAX) }
}

/** An amount as an agent reads it: never in exponents. */
export const money = (amount: number | string, asset: string): string =>
  `${typeof amount === 'number' ? decimal(amount) : amount} ${asset}`

function decimal(amount: number): string {
  const text = String(amount)
  return text.includes('e') ? amount.toFixed(18).replace(/\.?0+$/, '') : text
}
