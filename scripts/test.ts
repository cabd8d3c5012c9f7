// `npm test`: the checks beside the tests, which wait for blocks and processes half of their time. Arguments go to Vitest.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const cwd = fileURLToPath(new URL('../', import.meta.url))
const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))

const tests = spawn(process.execPath, [VITEST, 'run', ...process.argv.slice(2)], {
  cwd,
  stdio: 'inherit',
})
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

/** Once a check has failed, nobody waits for the tests. */
const checked = codeOf(checks).then((code) => {
  if (code === 0) return code
  tests.kill('SIGINT')
  process.stdout.write(`\n${said}\nnpm run check failed: the tests were stopped\n`)
  return code
})
const codes = await Promise.all([codeOf(tests), checked])
process.exitCode = Math.max(...codes)
