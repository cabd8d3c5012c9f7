import { toBase64url } from './bytes.ts'
import { isTime, isUnits } from './shape.ts'
import type { ProofStatement, ProvenFigures } from './statement.ts'
import { Tree } from './tree.ts'

type Leaf = {
  amount: string
  id: string
  payer: string
  protocol: string
  refunded: string
  time: string
}
const MEMBERS = ['amount', 'id', 'payer', 'protocol', 'refunded', 'time'] as const
const DAY_MS = 86_400_000

/** The leaf in a line, if it is canonical: the text that was hashed has no other form. */
export function readLeaf(line: string): Leaf | undefined {
  try {
    const leaf = JSON.parse(line) as Record<string, unknown>
    const members = MEMBERS.map((name) => [name, leaf[name]] as const)
    if (members.some(([, value]) => typeof value !== 'string')) return undefined
    if (JSON.stringify(Object.fromEntries(members)) !== line) return undefined
    const { amount, refunded, time } = leaf as Leaf
    const isWhole = isUnits(amount) && isUnits(refunded) && BigInt(refunded) <= BigInt(amount)
    return isWhole && isTime(time) ? (leaf as Leaf) : undefined
  } catch {
    return undefined
  }
}

/** Adds leaves up, one at a time, and notes what is wrong with any of them. */
export class Ledger {
  readonly faults: string[] = []
  readonly tree = new Tree()
  #last = ''
  #revenue = 0n
  #refunded = 0n
  readonly #protocols = new Set<string>()
  #first: string | null = null
  #newest: string | null = null
  readonly #payers = new Map<string, { payments: number; revenue: bigint }>()
  readonly #days = new Map<string, { revenue: bigint; payments: number }>()

  async add(line: string): Promise<void> {
    await this.tree.add(line)
    const leaf = readLeaf(line)
    const place = `Leaf ${this.tree.size}`
    if (!leaf) {
      this.#note(`${place} is not a leaf in its canonical form.`)
      return
    }
    if (leaf.id === this.#last) this.#note(`${place}, ${leaf.id}, comes twice.`)
    else if (leaf.id < this.#last) this.#note(`${place}, ${leaf.id}, is out of order.`)
    this.#last = leaf.id
    this.#count(leaf)
  }

  #note(fault: string): void {
    if (this.faults.length < 20) this.faults.push(fault)
  }

  #count({ amount, refunded, protocol, payer, time }: Leaf): void {
    const kept = BigInt(amount) - BigInt(refunded)
    this.#revenue += kept
    this.#refunded += BigInt(refunded)
    this.#protocols.add(protocol)
    if (this.#first === null || time < this.#first) this.#first = time
    if (this.#newest === null || time > this.#newest) this.#newest = time
    const paid = this.#payers.get(payer) ?? { payments: 0, revenue: 0n }
    this.#payers.set(payer, { payments: paid.payments + 1, revenue: paid.revenue + kept })
    const day = time.slice(0, 10)
    const made = this.#days.get(day) ?? { payments: 0, revenue: 0n }
    this.#days.set(day, { payments: made.payments + 1, revenue: made.revenue + kept })
  }

  /** The figures that the leaves make on the day of the statement. */
  figuresAt(at: string): ProvenFigures {
    const since = new Date(Date.parse(at) - 29 * DAY_MS).toISOString().slice(0, 10)
    const recent = [...this.#days].filter(([day]) => day >= since).map(([, made]) => made)
    const payers = [...this.#payers.values()]
    return {
      revenue_lifetime: String(this.#revenue),
      payments_lifetime: this.tree.size,
      revenue_30d: String(recent.reduce((sum, { revenue }) => sum + revenue, 0n)),
      payments_30d: recent.reduce((sum, { payments }) => sum + payments, 0),
      refunded: String(this.#refunded),
      distinct_protocols: this.#protocols.size,
      first_active: this.#first,
      last_active: this.#newest,
      payers: payers.length,
      repeat_payers: payers.filter(({ payments }) => payments > 1).length,
      largest_payer: String(
        payers.reduce((most, { revenue }) => (revenue > most ? revenue : most), 0n),
      ),
    }
  }
}

/** Compares what the leaves make with what the statement says: a sentence for each difference. */
export async function compare(ledger: Ledger, content: ProofStatement): Promise<string[]> {
  const { figures, leaf_count, merkle_root, as_of } = content
  const faults = [...ledger.faults]
  const { size } = ledger.tree
  if (size !== leaf_count)
    faults.push(`The statement counts ${leaf_count} leaves, the file has ${size}.`)
  if (toBase64url(await ledger.tree.root()) !== merkle_root)
    faults.push('The leaves do not make the Merkle root of the statement.')
  const made = ledger.figuresAt(as_of.at)
  for (const name of Object.keys(made) as (keyof ProvenFigures)[])
    if (figures[name] !== made[name])
      faults.push(`${name}: the statement says ${figures[name]}, the leaves make ${made[name]}.`)
  for (const name of Object.keys(figures))
    if (!Object.hasOwn(made, name)) faults.push(`${name}: a figure that no leaf makes.`)
  return faults
}
