// Runs after an install: builds, unless the development packages were left out. Then there is nothing to build with.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const TOOLS = ['vite', 'rolldown', 'typescript']

if (TOOLS.every((tool) => existsSync(new URL(`../node_modules/${tool}`, import.meta.url)))) {
  const { status } = spawnSync('npm run build', { stdio: 'inherit', shell: true })
  process.exitCode = status ?? 1
} else
  console.log(
    'Nothing is built: the development packages are left out. The service runs from its sources, with plain pages and without npx purser. To have those, run "npm ci" and then "npm prune --omit=dev".',
  )
