import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { unpackDebian } from '../actors/debian.ts'
import { until } from '../until.ts'

const exec = promisify(execFile)
const BOOT = fileURLToPath(new URL('boot.sh', import.meta.url))
const LARGE = { maxBuffer: 64_000_000 }
/** Nothing else is installed, as on a machine that was just set up. */
const PACKAGES = 'systemd-sysv,dbus,ca-certificates'
/** On a disk: an installation takes gigabytes. */
const PLACE = '/var/tmp'
/** Units that have nothing to do where the kernel and the terminal are another machine's. */
const NOT_HERE = ['console-getty.service', 'systemd-modules-load.service']

/** The addresses by which the machine sees the one that it runs on. */
export const HOST = '10.0.2.2'
const NAME_SERVER = '10.0.2.3'

export type Machine = Awaited<ReturnType<typeof bootDebian>>

/**
 * An empty Debian machine with systemd, its own processes, network and files, which ends with this process. Only root may start
 * one. `program` is a folder that it sees as /opt/purser.
 */
export async function bootDebian(program = '') {
  if (process.getuid?.() !== 0)
    throw new Error('Only root may start a machine: run this test as root, on Debian or Ubuntu.')
  const folder = await mkdtemp(join(PLACE, 'purser-machine-'))
  const root = join(folder, 'root')
  const children: ChildProcess[] = []
  const stop = async () => {
    const [outer] = children
    for (const child of children.splice(0)) await end(child)
    if (outer) await until(() => clear(outer))
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
  try {
    await makeRoot(root)
    const outer = spawn('unshare', ['--mount', 'sh', BOOT, root], {
      env: { PATH: process.env.PATH, PROGRAM: program },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    children.push(outer)
    const pid = await until(() => firstChild(outer), Boolean)
    children.push(await connect(pid))
    const run = (command: string): Promise<string> => runIn(pid, command)
    // A command before the machine's own first process is that would run outside.
    await until(
      () => run('cat /proc/1/comm').catch(() => ''),
      (name) => name === 'systemd\n',
    )
    const state = await until(
      () => run('systemctl is-system-running --wait || true').catch(() => ''),
      (said) => /^(running|degraded)\n/.test(said),
    )
    if (state !== 'running\n') throw new Error(await run('systemctl --failed --no-pager'))
    return { root, pid, run, stop, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function makeRoot(root: string): Promise<void> {
  const make = await commandOf('mmdebstrap', 'usr/bin')
  const args = ['--variant=minbase', `--include=${PACKAGES}`, 'trixie', root]
  // It changes how mounts are passed on, of this machine too.
  await exec('unshare', ['--mount', make, ...args], LARGE)
  const units = join(root, 'etc/systemd/system')
  for (const unit of NOT_HERE) await symlink('/dev/null', join(units, unit))
  await rm(join(root, 'etc/resolv.conf'), { force: true })
  await writeFile(join(root, 'etc/resolv.conf'), `nameserver ${NAME_SERVER}\n`)
  await writeFile(join(root, 'etc/hostname'), 'purser\n')
  await appendFile(join(root, 'etc/hosts'), '127.0.0.1 localhost purser\n')
  await passTrust(root)
}

/** A machine behind a proxy that reads its traffic passes on what it trusts, and how npm reaches its registry. */
async function passTrust(root: string): Promise<void> {
  const bundle = 'etc/ssl/certs/ca-certificates.crt'
  await mkdir(dirname(join(root, bundle)), { recursive: true })
  await writeFile(join(root, bundle), await readFile(join('/', bundle)))
  const { stdout } = await exec('npm', ['config', 'get', 'registry'])
  await writeFile(
    join(root, 'root/.npmrc'),
    `registry=${stdout.trim()}\ncafile=/${bundle}\naudit=false\nfund=false\n`,
  )
}

/** The path of a command: the machine's own, or from its Debian package. */
async function commandOf(name: string, folder: string): Promise<string> {
  const { stdout } = await exec('sh', ['-c', `command -v ${name} || true`])
  return stdout.trim() || join(await unpackDebian(name), folder, name)
}

async function firstChild({ pid, exitCode }: ChildProcess): Promise<number> {
  if (exitCode !== null) throw new Error(`the machine did not start: ${exitCode}`)
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const [first = 0] = text.trim().split(' ').filter(Boolean).map(Number)
  // Before it is `unshare`, the process has other children.
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
  return name === 'unshare\n' ? first : 0
}

/** Gives the machine a network in which it reaches what this one reaches, and in which nobody reaches it. */
async function connect(pid: number): Promise<ChildProcess> {
  const library = join(await unpackDebian('libslirp0'), 'usr/lib', await libraryFolder())
  const command = await commandOf('slirp4netns', 'usr/bin')
  const child = spawn(command, ['--configure', '--mtu=65520', String(pid), 'tap0'], {
    env: { PATH: process.env.PATH, LD_LIBRARY_PATH: library },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr?.on('data', (text) => {
    said += text
  })
  await until(
    () => exec('nsenter', ['-t', String(pid), '-n', 'ip', 'route']).catch(() => ({ stdout: '' })),
    ({ stdout }) => {
      if (child.exitCode !== null) throw new Error(`the machine has no network: ${said}`)
      return stdout.startsWith('default')
    },
  )
  return child
}

const libraryFolder = async (): Promise<string> =>
  (
    await exec('dpkg-architecture', ['-qDEB_HOST_MULTIARCH']).catch(() => ({
      stdout: `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`,
    }))
  ).stdout.trim()

/** Runs commands as root of the machine, in its first terminal. Throws with what they wrote if one fails. */
async function runIn(pid: number, commands: string): Promise<string> {
  const inside = ['-t', String(pid), '-m', '-p', '-u', '-i', '-n', '-C', '-r', '-w']
  const env = ['env', '-i', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin']
  const more = ['HOME=/root', 'LANG=C.UTF-8', 'DEBIAN_FRONTEND=noninteractive']
  const shell = ['bash', '-c', `set -euo pipefail\ncd /root\n${commands}`]
  const child = exec('nsenter', [...inside, ...env, ...more, ...shell], LARGE)
  child.child.stdin?.end()
  try {
    return (await child).stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`the machine failed at:\n${commands}\n${stdout}\n${stderr}`, { cause: error })
  }
}

/** False while processes of the machine are still ending. */
const clear = ({ pid }: ChildProcess): Promise<boolean> =>
  exec('unshare', ['--mount', 'sh', BOOT, '--clear', String(pid)]).then(
    () => true,
    () => false,
  )

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGKILL')
  await ended
}
