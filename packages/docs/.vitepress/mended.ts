import { weightOf } from './search.ts'

type Mend = [was: string, is: string]

/** The box is written as a button with a field in it, and a result as a link in an option: screen readers read neither. */
const SEARCH: Mend[] = [
  [
    `role="button"
      :aria-owns="results?.length ? 'localsearch-list' : undefined"
      aria-expanded="true"
      aria-haspopup="listbox"
      aria-labelledby="localsearch-label"`,
    'role="dialog" aria-modal="true" aria-label="Search"',
  ],
  [
    'aria-autocomplete="both"',
    `role="combobox" :aria-expanded="results?.length ? 'true' : 'false'" aria-autocomplete="list"`,
  ],
  [
    `:id="'localsearch-item-' + index"
            :aria-selected="selectedIndex === index ? 'true' : 'false'"
            role="option"`,
    'role="presentation"',
  ],
  [
    `class="result"
`,
    `class="result"
              role="option"
              tabindex="-1"
              :id="'localsearch-item-' + index"
              :aria-selected="selectedIndex === index ? 'true' : 'false'"
`,
  ],
  // As an option of the theme it would reach the page as text, which the policy of the pages lets nobody run.
  ['fuzzy: .2,', `fuzzy: .2, boostDocument: ${weightOf},`],
  ['<kbd :aria-label', '<kbd role="img" :aria-label'],
  [`:aria-label="[...p.titles, p.title].join(' > ')"`, ''],
  ['<span class="title-icon">', '<span class="title-icon" aria-hidden="true">'],
]

/** A page that is not there has a main part too. */
const NOT_FOUND: Mend[] = [
  ['<div class="NotFound">', '<main class="NotFound">'],
  ['  </div>\n</template>', '  </main>\n</template>'],
]
const FILES = { 'VPLocalSearchBox.vue': SEARCH, 'NotFound.vue': NOT_FOUND }

/** Mends names, roles and ranks that VitePress writes. Fails once it writes them otherwise. */
export const mendTheme = {
  name: 'mend-theme',
  enforce: 'pre' as const,
  transform(code: string, id: string): string | undefined {
    const [, mends] = Object.entries(FILES).find(([name]) => id.endsWith(`/${name}`)) ?? []
    return mends?.reduce((text, [was, is]) => {
      if (!text.includes(was)) throw new Error(`${id} has no longer: ${was}`)
      return text.replaceAll(was, is)
    }, code)
  },
}
