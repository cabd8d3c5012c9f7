import { createPurser } from '@purser/sdk'
import { command } from '../command.ts'
import { type DevFile, readDevFile } from '../context.ts'
import { Fault } from '../fault.ts'
import { print } from '../output.ts'

export const demoCommand = command({
  name: 'demo',
  summary: 'show a card pay an x402 API, and a stranger pay a pay link, on the local service',
  example: 'npx purser demo',
  run: async ({ json }) => {
    const dev = await findService()
    const tell = json ? () => {} : (line: string) => console.log(line)
    const { runDemo } = await readStory()
    const result = await runDemo(dev, tell)
    if (json) print(result, true, String)
    const wrong = result.checks.find(({ ok }) => !ok)
    if (wrong) console.error(`The books do not agree: ${wrong.check}.`)
    return wrong ? 1 : 0
  },
})

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
  if (!dev)
    throw new Fault('The demo needs the local service: start it with `npx purser start` first.')
  const purser = createPurser({ baseUrl: dev.base_url, retries: 0, timeoutMs: 5_000 })
  await purser.GET('/api/config').catch((cause) => {
    throw new Fault(
      `The local service at ${dev.base_url} does not answer: start it with \`npx purser start\`.`,
      { cause },
    )
  })
  return dev
}
