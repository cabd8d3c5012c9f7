import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { unpackDebian } from '../actors/debian.ts'
import { blocksOf, ROOT, runAll } from '../pages/pages.ts'
import { ownPort } from '../run/own-port.ts'
import { until } from '../until.ts'

export const DEPLOYED = join(ROOT, 'deploy')
export const RULES = readFileSync(join(DEPLOYED, 'prometheus/rules.yml'), 'utf8')
export const PAGE = 'docs/operate/monitoring.md'
/** The others are for the machine of `test/deploy`. */
const SECTIONS = ['Figures', 'Prometheus']
/** More than the service waits for its database. */
const SCRAPE_SECONDS = 5

export type Sample = { metric: Record<string, string>; value: [number, string] }
export type Alert = {
  labels: Record<string, string>
  annotations: Record<string, string>
  state: string
}

export async function promtool(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(await programOf('promtool'), args)
  return stdout
}

const programOf = async (name: string) => join(await unpackDebian('prometheus'), 'usr/bin', name)

/**
 * The rules as they are deployed with their durations shortened, and nothing else: `for`, the windows of rates, and thresholds in
 * seconds.
 */
export const shortened = (rules: string): string =>
  rules
    .replace(/^( +for: ).*$/gm, '$10s')
    .replaceAll('[5m]', '[30s]')
    .replace(
      /(_seconds > )(\d+)$/gm,
      (_, name: string, seconds: string) => `${name}${seconds === '900' ? 60 : 12}`,
    )

/** Runs the commands of the page, which fill the folder for the service at `url`, and returns what each block prints. */
async function followPage(folder: string, of: { url: string; token: string }) {
  const bin = join(await unpackDebian('prometheus'), 'usr/bin')
  const env = {
    PATH: [bin, process.env.PATH].join(delimiter),
    PURSER_URL: of.url,
    PURSER_METRICS_TOKEN: of.token,
    PROMETHEUS: folder,
  }
  return runAll(
    env,
    blocksOf(PAGE).filter(({ section }) => SECTIONS.includes(section)),
  )
}

/** A Prometheus with the deployed files, that scrapes the service at `url`. */
export async function startPrometheus(of: { url: string; token: string }) {
  const folder = await mkdtemp(join(tmpdir(), 'purser-prometheus-'))
  const own = await ownPort()
  const at = (name: string) => join(folder, name)
  const said = await followPage(folder, of)
  const config = readFileSync(at('prometheus.yml'), 'utf8')
    .replaceAll(
      /(scrape_interval|scrape_timeout|evaluation_interval): \d+s/g,
      `$1: ${SCRAPE_SECONDS}s`,
    )
    .replace('127.0.0.1:4021', new URL(of.url).host)
  await writeFile(at('prometheus.yml'), config)
  await writeFile(at('rules.yml'), shortened(RULES))
  const child = spawn(
    await programOf('prometheus'),
    [
      `--config.file=${at('prometheus.yml')}`,
      `--storage.tsdb.path=${at('data')}`,
      `--web.listen-address=127.0.0.1:${own}`,
    ],
    { stdio: 'ignore' },
  )
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  const ended = new Promise((resolve) => child.once('close', resolve))
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${own}${path}`)
    return ((await answer.json()) as { data: any }).data
  }
  await until(() =>
    fetch(`http://127.0.0.1:${own}/-/ready`).then(
      (a) => a.ok,
      () => false,
    ),
  )
  return {
    said,
    query: async (expression: string): Promise<Sample[]> =>
      (await ask(`/api/v1/query?query=${encodeURIComponent(expression)}`)).result,
    rules: async (): Promise<{ name: string; health: string }[]> =>
      (await ask('/api/v1/rules')).groups.flatMap((group: { rules: object[] }) => group.rules),
    firing: async (): Promise<Alert[]> =>
      (await ask('/api/v1/alerts')).alerts.filter(({ state }: Alert) => state === 'firing'),
    async [Symbol.asyncDispose]() {
      process.removeListener('exit', end)
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
export type RunningPrometheus = Awaited<ReturnType<typeof startPrometheus>>
