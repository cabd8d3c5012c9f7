import { fileURLToPath } from 'node:url'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export const REPOSITORY = at('../../../')
/** The Markdown that VitePress renders. */
export const SOURCE = at('../dist/source/')
/** The files that the service serves at `/docs`. */
export const SITE = at('../dist/site/')
/** The pages that only the site has. */
export const PAGES = at('../pages/')
/** The same as Markdown for programs, one file a page. */
export const PLAIN = at('../dist/plain/')

/** A page of the site: its text, and the file of the repository that its links start from. */
export type Page = { text: string; file: string }
