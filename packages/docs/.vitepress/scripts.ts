import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { SITE } from '../compose/places.ts'

const INLINE = /<script( id="[^"]+")?( type="module")?>([\s\S]*?)<\/script>/g

/** The two attributes that the default theme writes. The style of the site says the first, and the second is its default. */
const STYLES = / style="(?:position:relative;|--vp-vh:0px;)"/g

/** Puts the scripts of a page into files beside it: the policy of the pages allows no other, and no style in an attribute. */
export const moveScripts = (html: string): string =>
  html
    .replace(STYLES, '')
    .replace(INLINE, (_, _id: string | undefined, type: string | undefined, code: string) => {
      const name = `assets/inline.${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`
      mkdirSync(`${SITE}assets`, { recursive: true })
      writeFileSync(SITE + name, code)
      return `<script${type ?? ''} src="/docs/${name}"></script>`
    })
