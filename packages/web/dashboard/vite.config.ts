import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const OUT = here('../dist/dashboard')

/** Writes each file in the forms that browsers take, so that the service compresses nothing when it is asked. */
const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  closeBundle() {
    for (const name of readdirSync(OUT)) {
      if (!/\.(js|css)$/.test(name)) continue
      const bytes = readFileSync(join(OUT, name))
      writeFileSync(join(OUT, `${name}.br`), brotliCompressSync(bytes))
      writeFileSync(join(OUT, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    }
  },
})

/** Names hold the hash of their content, and are kept for ever. The service writes the page's place into `index.html`. */
export default defineConfig({
  root: here('.'),
  base: './',
  publicDir: false,
  plugins: [react(), tailwind(), compressed()],
  resolve: { conditions: ['purser-source', 'module', 'browser', 'import', 'default'] },
  worker: { format: 'es' },
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: 'es2022',
    assetsDir: '.',
    reportCompressedSize: false,
  },
})
