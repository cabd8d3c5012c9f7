/** A Debian machine on which docs/operate is followed, fence by fence. */
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Fence, fencesFor } from '../operate/fences.ts'
import { ROOT } from '../pages/pages.ts'
import { bootDebian } from './machine.ts'
import { openChain } from './stage.ts'

/** Where the machine finds the repository, in place of a server of git. */
const REPOSITORY = '/srv/purser'
const AUTHOR = '-c user.name=test -c user.email=test@localhost'

/** Makes of the commands of a page what runs here. */
export type Change = (commands: string) => string
export type Walk = Awaited<ReturnType<typeof openWalk>>

/** An empty machine with a chain that outlives it, and the pages whose fences are to run there. */
export async function openWalk(pages: ReturnType<typeof fencesFor>) {
  const chain = await openChain()
  const machine = await bootDebian().catch(async (error) => {
    await chain.stop()
    throw error
  })
  await bringRepository(join(machine.root, REPOSITORY))
  const own: Change = (commands) =>
    commands
      .replace('https://git.example.com/purser.git', REPOSITORY)
      .replace('https://node.example.com/your-key', chain.rpcUrl)
  const run = ({ text, at }: Fence, change: Change = (same) => same): Promise<string> =>
    machine.run(change(own(text))).catch((cause) => {
      throw new Error(`the commands at ${at} failed`, { cause })
    })
  return {
    chain,
    machine,
    pages,
    /** Runs a fence as it stands there, and returns what it prints. */
    run,
    /** Runs the fences of a section: a shell for each. */
    async follow(page: string, section: string, change?: Change): Promise<string[]> {
      const printed: string[] = []
      for (const fence of pages.take(page, section)) printed.push(await run(fence, change))
      return printed
    },
    /** Makes a version of the program, with one file more, that is tagged. */
    release: (tag: string, file: string): Promise<string> =>
      machine.run(`cd ${REPOSITORY}
        echo ${tag} > ${file}
        git add --all && git ${AUTHOR} commit --quiet --message ${tag} && git tag ${tag}`),
    async stop() {
      await machine.stop()
      await chain.stop()
    },
  }
}

/** This repository as it is here, for the machine to clone. */
async function bringRepository(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await promisify(execFile)('sh', [
    '-ec',
    `cd "${ROOT}"
    git ls-files --cached --others --exclude-standard -z | tar --null --files-from=- -cf - | tar -xf - -C "${folder}"
    cd "${folder}"
    git init -q && git add --all && git ${AUTHOR} commit -qm here`,
  ])
}
