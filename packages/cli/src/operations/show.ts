import { amountIn, assetOf } from '../money.ts'
import { pairs, print, printable } from '../output.ts'
import { type Column, printList, table } from '../table.ts'
import type { Made } from './document.ts'

type Loose = Record<string, unknown>
type Known = Pick<Made, 'amounts' | 'lists' | 'list'>
type ShowOptions = { json?: boolean | undefined; columns?: readonly string[] | undefined }

/** Members that tell a program how to go on. */
const UNSHOWN = ['success', 'request_id', 'has_more']

/** The columns of a list: its paths into a row, and how to show what is there. */
export const columnsOf = ({ amounts, lists }: Known, name: string): Column<Loose>[] =>
  (lists?.[name] ?? []).map((path) => [
    path.replaceAll(/(?<=[a-z\d])(?=[A-Z])|[._]/g, ' ').toUpperCase(),
    (row) => valueAt(row, path.split('.'), { amounts, asset: assetOf(row) }),
  ])

/** Prints an answer: as JSON for programs, or for people its members below one another, then each list as a table. */
export function printAnswer(answer: unknown, known: Known, { json, columns }: ShowOptions): void {
  const name = known.list ?? ''
  const rows = isObject(answer) ? answer[name] : undefined
  if (!isObject(answer) || !isList(rows)) {
    print(answer, json, (it) => showAnswer(it, known))
    return
  }
  const others = membersOf(answer).filter(([member]) => member !== name)
  const notes = others.length > 0 ? [pairs(flat(Object.fromEntries(others), known.amounts))] : []
  const none = `There are no ${words(name)}.`
  printList(answer, { json, columns }, { rows, columns: columnsOf(known, name), none }, notes)
}

const membersOf = (answer: Loose) =>
  Object.entries(answer).filter(([name]) => !UNSHOWN.includes(name))

function showAnswer(answer: unknown, known: Known): string {
  if (!isObject(answer)) return printable(JSON.stringify(answer, null, 2))
  if (typeof answer.text === 'string' && Object.keys(answer).length === 1)
    return printable(answer.text)
  const members = membersOf(answer)
  const others = members.filter(([, value]) => !isList(value))
  const lists = members.flatMap(([name, rows]) =>
    isList(rows) ? [`${words(name).toUpperCase()}\n${listOf(name, rows, known)}`] : [],
  )
  const facts = flat(Object.fromEntries(others), known.amounts)
  const parts = [...(others.length > 0 ? [pairs(facts)] : []), ...lists]
  return parts.length > 0 ? parts.join('\n\n') : 'Done.'
}

function listOf(name: string, rows: readonly Loose[], { amounts, lists }: Known): string {
  const paths = lists?.[name] ?? [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const columns = columnsOf({ amounts, lists: { [name]: paths } }, name)
  return table(rows, columns, { none: `There are no ${words(name)}.` })
}

/** The value of a row at a path, for a cell. */
function valueAt(
  row: Loose,
  [name = '', ...rest]: string[],
  within: Omit<Within, 'before'>,
): unknown {
  const member = row[name]
  if (rest.length > 0)
    return isObject(member)
      ? valueAt(member, rest, { ...within, asset: assetOf(member) ?? within.asset })
      : undefined
  if (Array.isArray(member) && !member.some(isObject)) return member.join(', ')
  return isObject(member) || Array.isArray(member) ? member : shownOf(row, name, within)
}

const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is Loose[] =>
  Array.isArray(value) && (value.length === 0 || value.every(isObject))

const words = (name: string): string => name.replaceAll('_', ' ')

/**
 * The members of an object and of the objects in it, by their names in words. The name of the object is left out where it is
 * the only one, as `card` is in the answer of an operation on a card.
 */
function flat(value: Loose, amounts: readonly string[]): Loose {
  const entries = Object.entries(value)
  const [first] = entries
  if (entries.length === 1 && first && isObject(first[1])) return flat(first[1], amounts)
  return Object.fromEntries(entriesOf(value, { amounts, before: '', asset: assetOf(value) }))
}

type Within = { amounts: readonly string[]; before: string; asset: string | undefined }

function entriesOf(value: Loose, { amounts, before, asset }: Within): [string, unknown][] {
  return Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const title = before + words(name)
    if (name.endsWith('_atomic')) return []
    if (isObject(member)) {
      const within = { amounts, before: `${title} `, asset: assetOf(member) ?? asset }
      return entriesOf(member, within)
    }
    if (Array.isArray(member) && member.some(isObject))
      return member.flatMap((one, i) =>
        isObject(one)
          ? entriesOf(one, { amounts, before: `${title} ${i + 1} `, asset: assetOf(one) ?? asset })
          : [[`${title} ${i + 1}`, one] as [string, unknown]],
      )
    if (Array.isArray(member)) return [[title, member.join(', ')]]
    return [[title, shownOf(value, name, { amounts, asset: assetOf(value) ?? asset })]]
  })
}

/** A member that is no object and no list. */
function shownOf(value: Loose, name: string, { amounts, asset }: Omit<Within, 'before'>): unknown {
  const member = value[name]
  if (typeof member === 'boolean') return member ? 'yes' : 'no'
  const isMoney = amounts.includes(name) && (typeof member === 'number' || isNumber(member))
  return isMoney ? amountIn(value, name, asset) : member
}

const isNumber = (value: unknown): boolean =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
