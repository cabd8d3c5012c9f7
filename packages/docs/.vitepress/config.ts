import { defineConfig } from 'vitepress'
import { SECTIONS, type Section } from '../compose/order.ts'
import { groupsOf, readReference } from '../compose/reference.ts'
import { anchorOf } from './anchors.ts'
import { colours, toClasses } from './code.ts'
import { mendTheme } from './mended.ts'
import { sizePictures } from './pictures.ts'
import { moveScripts } from './scripts.ts'
import { searched } from './search.ts'
import { openActive } from './sidebar.ts'
import { fitTables } from './tables.ts'

const { document } = await readReference(new Map())
const pathOf = (page: string): string => `/${page.replace(/(index)?\.md$/, '')}`

const guides = (isCollapsed: (section: Section) => boolean) =>
  SECTIONS.map((section) => ({
    text: section.text,
    collapsed: isCollapsed(section),
    items: section.items.map(({ text, page }) => ({ text, link: pathOf(page) })),
  }))

const reference = [
  {
    text: 'Reference',
    items: [
      { text: 'Guides', link: '/start' },
      { text: 'Every operation', link: '/reference/' },
      { text: 'Every error', link: '/errors' },
      { text: 'Explorer', link: '/reference/explorer', target: '_self' },
    ],
  },
  ...groupsOf(document).map(({ name, operations }) => ({
    text: name,
    collapsed: true,
    items: operations.map(({ operation }) => ({
      text: operation.summary,
      link: `/reference/${operation.operationId}`,
    })),
  })),
]

export default defineConfig({
  title: 'Purser',
  description: 'Payment infrastructure for AI agents',
  lang: 'en',
  base: '/docs/',
  srcDir: 'dist/source',
  outDir: 'dist/site',
  cacheDir: 'dist/cache',
  cleanUrls: true,
  // Else a change of theme writes a style into the page, which its policy forbids.
  appearance: { disableTransition: false },
  head: [['link', { rel: 'icon', href: '/docs/../favicon.svg' }]],
  markdown: {
    anchor: { slugify: anchorOf },
    toc: { slugify: anchorOf },
    headers: { slugify: anchorOf },
    theme: colours,
    codeTransformers: [toClasses],
    config: (markdown) => {
      fitTables(markdown)
      sizePictures(markdown)
    },
  },
  transformHtml: (html) => openActive(moveScripts(html)),
  // Pages are small and near. Those that a first page links to would be as much again as the page.
  router: { prefetchLinks: false },
  themeConfig: {
    siteTitle: 'Purser',
    nav: [
      { text: 'Guides', link: '/start' },
      { text: 'Reference', link: '/reference/', activeMatch: '/reference/' },
      { text: 'Errors', link: '/errors' },
      { text: 'Dashboard', link: '/../', target: '_self', noIcon: true },
    ],
    sidebar: {
      '/reference/': reference,
      '/': guides(() => false),
    },
    outline: [2, 3],
    search: { provider: 'local', options: { _render: searched } },
    notFound: {
      title: 'There is no page at this address',
      quote: 'It may have moved. The search finds pages, operations and errors.',
      linkLabel: 'To the documentation',
      linkText: 'To the documentation',
    },
    docFooter: { prev: 'Before', next: 'Next' },
  },
  vite: {
    plugins: [mendTheme],
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 8_000 },
    logLevel: 'warn',
  },
})
