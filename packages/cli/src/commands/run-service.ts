import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Fault } from '../fault.ts'

/** Runs the service's program in this terminal, and returns its exit code. */
export function runService(
  args: string[],
  shows: 'output' | 'no output' = 'output',
): Promise<number> {
  const { program, nodeFlags } = findService()
  return new Promise((resolve, reject) => {
    const stdio = ['inherit', shows === 'output' ? 'inherit' : 'ignore', 'inherit'] as const
    const child = spawn(process.execPath, [...nodeFlags, program, ...args], { stdio: [...stdio] })
    // Ctrl-C reaches the child too. Wait until the child has ended.
    const ignore = () => {}
    const forward = (signal: NodeJS.Signals) => void child.kill(signal)
    process.on('SIGINT', ignore)
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, forward)
    child.on('error', (cause) =>
      reject(new Fault(`The service could not be started: ${cause.message}`, { cause })),
    )
    child.on('exit', (code, signal) => {
      process.off('SIGINT', ignore)
      for (const each of ['SIGTERM', 'SIGHUP'] as const) process.off(each, forward)
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))
    })
  })
}

/** Runs the service's program, and returns what it prints: it may be a secret. Its errors are shown. */
export async function askService(args: string[]): Promise<string> {
  const { program, nodeFlags } = findService()
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const child = spawn(process.execPath, [...nodeFlags, program, ...args], { stdio: [...stdio] })
  const [out, code] = await Promise.all([
    text(child.stdout ?? ''),
    new Promise<number | null>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', resolve)
    }),
  ])
  // The service has said why.
  if (code !== 0) throw new Fault('No key was made.')
  return out
}

type Program = { program: string; nodeFlags: string[] }

/** Beside this file in the published package. */
const PACKED = new URL('../../service/package.json', import.meta.url)

/** The service's program, and the Node flags with which it runs fastest. */
function findService(): Program {
  if (existsSync(PACKED)) return findPacked()
  try {
    const manifest = fileURLToPath(import.meta.resolve('@purser/service/package.json'))
    const program = join(dirname(manifest), 'src', 'main.ts')
    if (existsSync(program))
      return { program, nodeFlags: JSON.parse(readFileSync(manifest, 'utf8')).nodeFlags }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
  }
  throw new Fault(
    'The service is not installed here: run this where @purser/service is, or use its container.',
  )
}

function findPacked(): Program {
  const { main, nodeFlags, engines } = JSON.parse(readFileSync(PACKED, 'utf8'))
  const needed = Number(/\d+/.exec(engines.node)?.[0])
  if (Number(process.versions.node.split('.')[0]) < needed)
    throw new Fault(
      `The service needs Node ${needed} or later; this is ${process.version}. Without installing it: npx -p node@${needed} -p purser purser start`,
    )
  try {
    import.meta.resolve('secp256k1')
  } catch (cause) {
    throw new Fault(
      'The service stands on packages that were left out here: install purser without --omit=optional.',
      { cause },
    )
  }
  return { program: fileURLToPath(new URL(main, PACKED)), nodeFlags }
}
