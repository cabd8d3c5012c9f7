import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../src/db/migrate.ts'
import { type RunningAnvil, startAnvil } from '../src/embedded/anvil.ts'
import { prepareDevChain } from '../src/embedded/dev-chain.ts'
import { startPostgres } from '../src/embedded/postgres.ts'

const TEMPLATE = 'purser_template'
const CHAIN_ID = 84_532

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's PostgreSQL server, as its administrator. */
    postgresUrl: string
    /** The migrated database that tests clone. */
    templateDatabase: string
    rpcUrl: string
    chainId: number
  }
}

/** Starts one PostgreSQL and one chain for the whole run, and answers how to end them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-test-'))
  const [postgres, chain] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'postgres'), isThrowaway: true }),
    startChain(),
  ])
  await makeTemplate(postgres.url)
  project.provide('postgresUrl', postgres.url)
  project.provide('templateDatabase', TEMPLATE)
  project.provide('rpcUrl', chain.rpcUrl)
  project.provide('chainId', CHAIN_ID)
  return async () => {
    await Promise.all([postgres.stop(), chain.stop()])
    await rm(folder, { recursive: true, force: true })
  }
}

async function startChain(): Promise<RunningAnvil> {
  const chain = await startAnvil({ chainId: CHAIN_ID, blockTimeSeconds: 0.2, slotsInAnEpoch: 1 })
  await prepareDevChain({ rpcUrl: chain.rpcUrl, chainId: CHAIN_ID })
  return chain
}

async function makeTemplate(adminUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`create database ${TEMPLATE}`)
  await admin.end()
  const url = new URL(adminUrl)
  url.pathname = `/${TEMPLATE}`
  await migrate(url.href)
}
