/** The examples in Python of every operation, each run against the real service as a reader would run it. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { operationPages, readReference } from '../../../docs/compose/reference.ts'
import { startAnvil } from '../../src/run/embedded/anvil/anvil.ts'
import { prepareDevChain } from '../../src/run/embedded/dev/chain.ts'
import { unpackDebian } from '../actors/debian.ts'
import { testChain } from '../world/chain.ts'
import { world } from '../world.ts'
import { blockOf } from './blocks.ts'

const run = promisify(execFile)

/** Reads programs as JSON, runs one after another, and writes what each printed. A variable that the page leaves open is `x`. */
const RUNNER = `
import builtins, contextlib, io, json, signal, sys, traceback
# A stream has no end.
signal.signal(signal.SIGALRM, signal.default_int_handler)
class Open(dict):
    def __missing__(self, name):
        if hasattr(builtins, name) or name in ("true", "false", "null"): raise KeyError(name)
        return "x"
printed = {}
for name, program in json.load(sys.stdin).items():
    out = io.StringIO()
    signal.alarm(5)
    try:
        with contextlib.redirect_stdout(out): exec(compile(program, name, "exec"), Open())
    except (Exception, KeyboardInterrupt): out.write(traceback.format_exc())
    printed[name] = out.getvalue()
json.dump(printed, sys.stdout)
`

/** Where Python finds \`requests\`, if this machine's own has none. */
async function libraries(): Promise<string> {
  const has = await run('python3', ['-c', 'import requests']).then(
    () => true,
    () => false,
  )
  if (has) return ''
  const names = ['requests', 'urllib3', 'chardet', 'certifi', 'idna', 'six']
  const folders = await Promise.all(names.map((name) => unpackDebian(`python3-${name}`)))
  return folders.map((folder) => join(folder, 'usr/lib/python3/dist-packages')).join(':')
}

test('each asks an operation of the service, in words that it understands', async () => {
  // One example moves the clock of the chain, which files after this one would find ahead.
  await using stack = new AsyncDisposableStack()
  const { chainId } = testChain()
  const own = await startAnvil({ chainId, blockTimeSeconds: 1 })
  stack.defer(own.stop)
  await prepareDevChain({ rpcUrl: own.rpcUrl, chainId })
  const w = stack.use(await world({ settings: { embeddedRpcUrl: own.rpcUrl } }))
  const base = await w.listen()
  const { key } = await w.user({ treasury: 100 })
  const reference = await readReference(new Map())
  const programs = Object.fromEntries(
    [...operationPages(reference)].map(([page, text]) => [
      page.slice('reference/'.length, -3),
      blockOf(text, 'Python'),
    ]),
  )
  expect(Object.keys(programs).length).toBeGreaterThan(100)
  const path = await libraries()
  const child = run('python3', ['-c', RUNNER], {
    env: { ...process.env, PYTHONPATH: path, PURSER_BASE_URL: base, PURSER_API_KEY: key },
    maxBuffer: 64_000_000,
  })
  child.child.stdin?.end(JSON.stringify(programs))
  const printed: Record<string, string> = JSON.parse((await child).stdout)
  const wrong = Object.entries(printed).flatMap(([name, text]) => {
    const [, status = '', code = ''] = /^(\d{3})\s(?:.*?"code":"(\w+)")?/s.exec(text) ?? []
    const isUnderstood = /^[234]/.test(status) && !NOT_UNDERSTOOD.has(code) && status !== '405'
    return isUnderstood ? [] : [`${name}: ${text.slice(0, 300)}`]
  })
  expect(wrong).toEqual([])
})

/** Codes of a request that no operation took, or that could not be read. */
const NOT_UNDERSTOOD = new Set(['route_not_found', 'invalid_json', 'unsupported_media_type'])
