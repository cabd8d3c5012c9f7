import { createApiReference } from './SCALAR.js'

createApiReference('#explorer', {
  url: '/docs/../openapi.json',
  layout: 'modern',
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  // The theme that the other pages chose.
  darkMode:
    (localStorage.getItem('vitepress-theme-appearance') ?? 'auto') === 'dark' ||
    matchMedia('(prefers-color-scheme: dark)').matches,
})
