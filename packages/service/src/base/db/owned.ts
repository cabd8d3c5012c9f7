import { notFound } from '../kernel/problem.ts'

declare const owned: unique symbol
/**
 * A locked row of the caller. Only `lockOwned` makes one, so a change that takes it cannot rest on an owner who was read
 * before the lock: a sale or a transfer may have been committed while the transaction waited.
 */
export type Owned<Row> = Row & { readonly [owned]: true }

/**
 * The row of a locking read, if it is the caller's now. `not_found` for any other. The first argument is the call of a
 * locking read itself (`tidy.test.ts`).
 */
export async function lockOwned<Row>(
  locking: Promise<Row | undefined>,
  isMine: (row: Row) => boolean,
  noun: string,
): Promise<Owned<Row>> {
  const row = await locking
  if (row === undefined || !isMine(row)) throw notFound(noun)
  return row as Owned<Row>
}
