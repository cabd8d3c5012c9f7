import { createPurser } from '@purser/sdk'
import { command } from '../command.ts'
import { type DevFile, readDevFile } from '../context.ts'
import { Fault } from '../fault.ts'
import { print } from '../output.ts'

export const demoCommand = command({
  name: 'demo',
  summary: 'show a card pay an x402 API, and a stranger pay a pay link, on the local service',
  example: 'npx purser demo billing',
  options: (made) =>
    made
      .argument('[story]', '`billing`: a year of agreements; without it cards, links and mandates')
      .option('--months <n>', 'of `billing`', '12'),
  run: async ({ json = false, months }: Options, story?: string) => {
    const dev = await findService()
    const say = json ? () => {} : (line: string) => console.log(line)
    const result = await tellStory(dev, { story, say, months: Number(months) })
    if (json) print(result, true, String)
    const wrong = result.checks.find(({ ok }) => !ok)
    if (wrong) console.error(`The books do not agree: ${wrong.check}.`)
    return wrong ? 1 : 0
  },
})

type Options = { json?: boolean; months: string }

async function tellStory(
  dev: DevFile,
  of: { story: string | undefined; say: (line: string) => void; months: number },
) {
  const { story, say, months } = of
  if (story !== undefined && story !== 'billing')
    throw new Fault('The stories are `npx purser demo` and `npx purser demo billing`.')
  if (!(Number.isInteger(months) && months >= 1 && months <= 12))
    throw new Fault('--months must be a number from 1 to 12.')
  if (story === undefined) return (await readStory()).runDemo(dev, say)
  return (await import('../demo/billing.ts')).runBilling(dev, { say, months })
}

/** The demo uses the x402 packages. The source tree installs them; the published command does not. */
async function readStory() {
  try {
    return await import('../demo/story.ts')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new Fault('The demo needs the source tree: clone it, run npm ci, and run it there.', {
      cause,
    })
  }
}

async function findService(): Promise<DevFile> {
  const dev = await readDevFile()
  if (!dev) throw new Fault('The demo needs the local service: start it with `npm start` first.')
  const purser = createPurser({ baseUrl: dev.base_url, retries: 0, timeoutMs: 5_000 })
  await purser.GET('/api/config').catch((cause) => {
    throw new Fault(
      `The local service at ${dev.base_url} does not answer: start it with \`npm start\`.`,
      { cause },
    )
  })
  return dev
}
