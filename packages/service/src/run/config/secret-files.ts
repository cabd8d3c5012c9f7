import { type Environment, readText, refuseOthers } from '../../chain/client/signers/open.ts'
import { SignerError } from '../../chain/client/signers/signer-error.ts'
import { ConfigError } from './config.ts'
import { SECRET_VARIABLES } from './values.ts'

/**
 * The environment with the contents of the files that it names, and without their names. Nothing is written into the
 * environment of the process, so its children and its readers see paths alone. Throws a `ConfigError` with every fault.
 */
export async function withSecretFiles(
  env: Environment,
): Promise<Record<string, string | undefined>> {
  const read: Record<string, string | undefined> = { ...env }
  const faults: string[] = []
  for (const name of SECRET_VARIABLES) {
    const named = `${name}_FILE`
    const path = env[named]?.trim()
    delete read[named]
    if (!path) continue
    if (env[name]?.trim()) {
      faults.push(`${name} and ${named} are both set: leave one of them out.`)
      continue
    }
    try {
      read[name] = await readSecretFile(path, env)
    } catch (error) {
      if (!(error instanceof SignerError)) throw error
      faults.push(`${named}: ${error.message}`)
    }
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return read
}

async function readSecretFile(path: string, env: Environment): Promise<string> {
  const text = await readText(path)
  await refuseOthers(path, env)
  const secret = text.trim()
  if (secret === '') throw new SignerError(`The file ${path} is empty.`)
  return secret
}
