import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import '../../../web/design/tokens.css'
import './style.css'

export default { extends: DefaultTheme } satisfies Theme
