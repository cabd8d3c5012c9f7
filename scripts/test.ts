// `npm test`: runs the checks alongside the tests, which spend half of their time waiting for blocks and processes.
// Arguments go to Vitest; without any, all but the slow walks run (`npm run test:slow`).
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const cwd = fileURLToPath(new URL('../', import.meta.url))
const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))

const asked = process.argv.slice(2)
const args = asked.length > 0 ? asked : ['--project', 'unit', '--project', 'world']
const tests = spawn(process.execPath, [VITEST, 'run', ...args], { cwd, stdio: 'inherit' })
const checks = spawn('npm', ['run', '--silent', 'check'], {
  cwd,
  stdio: ['ignore', 'pipe', 'pipe'],
})
let said = ''
for (const stream of [checks.stdout, checks.stderr])
  stream.on('data', (text: Buffer) => {
    said += text
  })

const codeOf = async (child: ChildProcess): Promise<number> => {
  const [code] = await once(child, 'close')
  return code ?? 1
}

/** A failed check stops the tests. */
const checked = codeOf(checks).then((code) => {
  if (code === 0) return code
  tests.kill('SIGINT')
  process.stdout.write(`\n${said}\nnpm run check failed: the tests were stopped\n`)
  return code
})
const codes = await Promise.all([codeOf(tests), checked])
process.exitCode = Math.max(...codes)
