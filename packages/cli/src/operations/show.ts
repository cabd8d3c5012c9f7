import { amountIn, assetOf } from '../money.ts'
import { pairs, printable, table } from '../output.ts'

type Loose = Record<string, unknown>

/** Members that tell a program how to go on. */
const UNSHOWN = ['success', 'request_id', 'has_more']

/** An answer for people: its members below one another, then each list as a table. `amounts` names those that are money. */
export function showAnswer(answer: unknown, amounts: readonly string[]): string {
  if (!isObject(answer)) return printable(JSON.stringify(answer, null, 2))
  if (typeof answer.text === 'string' && Object.keys(answer).length === 1)
    return printable(answer.text)
  const members = Object.entries(answer).filter(([name]) => !UNSHOWN.includes(name))
  const lists = members.filter(([, value]) => isList(value))
  const others = flat(Object.fromEntries(members.filter(([, value]) => !isList(value))), amounts)
  const shownLists = lists.map(([name, rows]) => listOf(name, rows as Loose[], amounts))
  const last = (lists[0]?.[1] as Loose[] | undefined)?.at(-1)
  const parts = [
    ...(Object.keys(others).length > 0 ? [pairs(others)] : []),
    ...(lists.length > 1 || Object.keys(others).length > 0
      ? lists.map(([name], i) => `${words(name).toUpperCase()}\n${shownLists[i]}`)
      : shownLists),
    ...(answer.has_more === true && last
      ? [`There are more: --after ${printable(String(last.id ?? '…'))}`]
      : []),
  ]
  return parts.length > 0 ? parts.join('\n\n') : 'Done.'
}

const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is Loose[] =>
  Array.isArray(value) && (value.length === 0 || value.every(isObject))

const words = (name: string): string => name.replaceAll('_', ' ')

function listOf(name: string, rows: readonly Loose[], amounts: readonly string[]): string {
  const shown = rows.map((row) => flat(row, amounts))
  const names = [...new Set(shown.flatMap((row) => Object.keys(row)))]
  return table(
    shown,
    names.map((column) => [column.toUpperCase(), (row) => row[column]] as const),
    `There are no ${words(name)}.`,
  )
}

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
    if (typeof member === 'boolean') return [[title, member ? 'yes' : 'no']]
    const isMoney = amounts.includes(name) && (typeof member === 'number' || isNumber(member))
    return [[title, isMoney ? amountIn(value, name, assetOf(value) ?? asset) : member]]
  })
}

const isNumber = (value: unknown): boolean =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
