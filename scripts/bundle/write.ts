import { readFile, rm, writeFile } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type OutputOptions, rolldown } from 'rolldown'

export const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

type Form = Pick<OutputOptions, 'minify'>

/** Writes the service and the guard of its chain into a folder, in few files. Returns the paths of the modules in them. */
export async function writeService(folder: URL, form: Form = {}): Promise<string[]> {
  const modules = [
    ...(await writeProgram(folder, 'program.ts', {
      ...form,
      codeSplitting: {
        groups: [
          // Loaded at the first call of /mcp.
          { name: 'mcp', test: isOfMcp, priority: 1 },
          // The library of traces is in neither, so that it is loaded where they are on.
          { name: 'dependencies', test: (id) => !isOwn(id) && !isOfTraces(id) },
          { name: 'service', test: (id) => isOwn(id) && !isOfTraces(id) },
        ],
      },
    })),
    // A process of its own that needs almost nothing of this.
    ...(await writeProgram(folder, 'run/embedded/anvil/guard.ts', {
      ...form,
      codeSplitting: false,
    })),
  ]
  await dropMap(new URL('dependencies.js', folder))
  return modules
}

/**
 * Node measures every line of a file with a map at each start, and reads the map whole at the first error: the service's
 * own lines are a quarter.
 */
async function dropMap(file: URL): Promise<void> {
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n'))
  await rm(new URL(`${file.href}.map`))
}

/** The bundler's own helpers have no path. */
export function isOwn(id: string): boolean {
  const path = relative(REPOSITORY, id)
  return isAbsolute(id) && !path.startsWith('..') && !path.split(sep).includes('node_modules')
}

function isOfMcp(id: string): boolean {
  const OF_MCP =
    /\/packages\/(mcp|sdk)\/|\/node_modules\/(@modelcontextprotocol|zod|openapi-fetch)\//
  return OF_MCP.test(id)
}

/** Without OpenTelemetry's interface, which the metrics load too. */
const isOfTraces = (id: string): boolean =>
  /\/operate\/tracing\/tracer\.ts$|\/node_modules\/@opentelemetry\/(?!api\/)/.test(id)

/** Writes one program of the service. Returns the paths of the modules in it. */
export async function writeProgram(
  folder: URL,
  entry: string,
  form: Form & Pick<OutputOptions, 'codeSplitting'>,
): Promise<string[]> {
  const build = await rolldown({
    input: fileURLToPath(new URL(`../../packages/service/src/${entry}`, import.meta.url)),
    platform: 'node',
    // Packages of ours as they are written, not as they were last built.
    resolve: { conditionNames: ['purser-source', 'node', 'default'] },
    // Native, or optional and not installed.
    external: ['secp256k1', 'pg-native', 'typescript'],
    onLog: (level, log) => {
      // A library's own code may do what it likes.
      if (level === 'warn' && !log.message.includes('node_modules')) console.warn(log.message)
    },
  })
  const { output } = await build.write({
    dir: fileURLToPath(folder),
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    ...form,
  })
  await build.close()
  return output.flatMap((part) => ('moduleIds' in part ? part.moduleIds : []))
}
