import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { multicall3Abi } from 'viem'

export type Artifact = {
  contractName: string
  abi: readonly unknown[]
  /** The code that a deployment sends, before the constructor's arguments. */
  bytecode: `0x${string}`
  /** The code at the address after deployment. */
  deployedBytecode: `0x${string}`
}

type CompilerOutput = {
  errors?: { errorCode: string; formattedMessage: string }[]
  contracts?: Record<
    string,
    Record<
      string,
      {
        abi: unknown[]
        evm: { bytecode: { object: string }; deployedBytecode: { object: string } }
      }
    >
  >
}
type Compiler = {
  compile(input: string, callbacks: { import(path: string): { contents: string } }): string
}

/**
 * "Transient storage can break composability": not here, since OpenZeppelin's guard clears it at the end of the call.
 */
const TRANSIENT_STORAGE_WARNING = '2394'

const SOURCES = new URL('./src/', import.meta.url)
// The compiler and OpenZeppelin's sources are CommonJS packages without an entry for import.
const require = createRequire(import.meta.url)

/** Compiles every contract in `src/`. The same sources give the same bytes on every machine. Takes about 3 s. */
export function compileContracts(): Artifact[] {
  const names = readdirSync(SOURCES)
    .filter((name) => name.endsWith('.sol'))
    .sort()
  const sources = Object.fromEntries(
    names.map((name) => [name, { content: readFileSync(new URL(name, SOURCES), 'utf8') }]),
  )
  const input = {
    language: 'Solidity',
    sources,
    settings: {
      evmVersion: 'cancun',
      viaIR: true,
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: 'none' },
      outputSelection: {
        '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] },
      },
    },
  }
  const compiler = require('solc') as Compiler
  const output = JSON.parse(
    compiler.compile(JSON.stringify(input), { import: readDependency }),
  ) as CompilerOutput
  const problems = (output.errors ?? []).filter(
    (problem) => problem.errorCode !== TRANSIENT_STORAGE_WARNING,
  )
  if (problems.length > 0)
    throw new Error(problems.map((problem) => problem.formattedMessage).join('\n'))
  // A library of internal functions has no interface, because it is compiled into its callers; an interface has no
  // code.
  return names.flatMap((file) =>
    Object.entries(output.contracts?.[file] ?? {})
      .filter(([, { abi, evm }]) => abi.length > 0 && evm.deployedBytecode.object !== '')
      .map(([contractName, { abi, evm }]) => ({
        contractName,
        abi,
        bytecode: `0x${evm.bytecode.object}` as const,
        deployedBytecode: `0x${evm.deployedBytecode.object}` as const,
      })),
  )
}

function readDependency(path: string): { contents: string } {
  return { contents: readFileSync(require.resolve(path), 'utf8') }
}

/**
 * Multicall3 as deployed on the public chains. viem publishes its creation code (at no public path of its package); the
 * chain at `rpcUrl` runs it and answers the code to place at its address.
 */
export async function multicall3Artifact(rpcUrl: string): Promise<Artifact> {
  const root = dirname(require.resolve('viem'))
  const constants = require(join(root, 'constants/contracts.js')) as {
    multicall3Bytecode: `0x${string}`
  }
  const bytecode = constants.multicall3Bytecode
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_call',
      params: [{ data: bytecode }, 'latest'],
    }),
  })
  const { result } = (await response.json()) as { result: `0x${string}` }
  return { contractName: 'Multicall3', abi: multicall3Abi, bytecode, deployedBytecode: result }
}

export const buildFile = (contractName: string): string =>
  fileURLToPath(new URL(`./build/${contractName}.json`, import.meta.url))
