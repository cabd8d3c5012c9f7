import { createCssVariablesTheme, type ShikiTransformer, type ThemeRegistration } from 'shiki'

/** Colours by name: the style of the site says which they are, in light and in dark. */
export const colours: ThemeRegistration = createCssVariablesTheme({
  name: 'tokens',
  variablePrefix: '--code-',
  fontStyle: false,
})

/** The policy of the pages allows no style in an attribute, so a colour becomes a class: `code-token-string`. */
export const toClasses: ShikiTransformer = {
  name: 'to-classes',
  span(node) {
    const [, name] = /var\(--code-([\w-]+)\)/.exec(String(node.properties.style ?? '')) ?? []
    delete node.properties.style
    if (name && name !== 'foreground') this.addClassToHast(node, `code-${name}`)
  },
  pre(node) {
    delete node.properties.style
  },
}
