import document from './document.json' with { type: 'json' }

/** A query parameter, or a member of the body. */
export type MadeField = {
  name: string
  in: 'query' | 'body'
  kind: 'text' | 'whole' | 'number' | 'flag' | 'list' | 'json'
  about: string
  required?: boolean
  /** Whether it may be null, which is written `none`. */
  none?: boolean
  words?: string[]
}
/** An operation as its command must know it: `npm run gen` takes it from openapi.json. */
export type Made = {
  summary: string
  about?: string
  path: { name: string; word: string; about: string }[]
  fields: MadeField[]
  body?: 'fields' | 'any'
  /** Whether it takes an Idempotency-Key. */
  repeatable?: boolean
  /** Whether it needs no API key. */
  open?: boolean
  /** Whether its answer is something else than JSON. */
  text?: boolean
  /** The members of its answer that are money. */
  amounts: string[]
  /** The lists in its answer, each with the paths into a row that are its columns. */
  lists?: Record<string, string[]>
  /** The list that its answer is. */
  list?: string
}

export const OPERATIONS = document as unknown as Readonly<Record<string, Made>>
