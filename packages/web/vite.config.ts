import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The page's markup is written by the service, so its script and style keep fixed names and are revalidated by etag. */
export default defineConfig({
  root: here('.'),
  publicDir: false,
  build: {
    outDir: here('dist'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { checkout: here('checkout/checkout.ts') },
      output: { entryFileNames: '[name].js', assetFileNames: '[name][extname]' },
    },
  },
})
