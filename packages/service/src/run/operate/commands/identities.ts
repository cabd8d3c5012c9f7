import type { Db } from '../../../base/db/sql.ts'
import { countNamedTokens, type NamedTokens, renameAll } from '../../../business/identity/store.ts'
import { noteCommand } from '../command-line.ts'

type Books = { db: Db }

/** Which addresses of this service identity tokens should name, and how many of the kept ones do. */
export const readNamedTokens = ({ db }: Books): Promise<NamedTokens[]> =>
  countNamedTokens(db.reader)

/** Has every identity token name this address. The running service changes those that the vault keeps, some at a time. */
export async function renameTokens(
  books: Books,
  at: Date,
  baseUrl: string,
): Promise<NamedTokens[]> {
  await books.db.write(async (tx) => {
    await renameAll(tx, baseUrl)
    await noteCommand(tx, at, { act: 'identities.renamed', subject: baseUrl })
  })
  return readNamedTokens(books)
}

/** The addresses for a person. */
export const identitiesText = (named: readonly NamedTokens[], publicUrl: string): string =>
  [
    ...(named.length === 0 ? ['No card has an identity token.'] : named.map(lineOf)),
    ...(named.some(({ baseUrl }) => baseUrl !== publicUrl)
      ? ['', `PUBLIC_URL is ${publicUrl}: purser identities rename has every token name it.`]
      : []),
  ].join('\n')

const lineOf = ({ baseUrl, tokens, kept, named }: NamedTokens): string =>
  `  ${baseUrl}  ${tokens} tokens, of which the vault keeps ${kept}; ${named} of these name it on chain`

/** The addresses for a program. */
export const identitiesJson = (named: readonly NamedTokens[], publicUrl: string): string =>
  JSON.stringify(
    {
      public_url: publicUrl,
      addresses: named.map(({ baseUrl, ...counts }) => ({ base_url: baseUrl, ...counts })),
    },
    null,
    2,
  )
