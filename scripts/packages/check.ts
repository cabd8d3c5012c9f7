// `npm run packages`: packs what is published, says what is wrong with it, and how large it is.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultsOf } from './judge.ts'
import { packAll } from './pack.ts'

const folder = await mkdtemp(join(tmpdir(), 'purser-pack-'))
try {
  for (const packed of await packAll(folder)) {
    const faults = await faultsOf(packed)
    console.log(`${packed.name} ${packed.version}: ${(packed.bytes / 1024).toFixed(0)} KiB`)
    for (const fault of faults) console.error(`  ${fault}`)
    if (faults.length > 0) process.exitCode = 1
  }
} finally {
  await rm(folder, { recursive: true })
}
