// `npm run size -w @purser/sdk`: bundles the SDK as an application for browsers would, minified, for size-limit to measure.
// Throws if the bundle needs anything that a browser does not have.
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const SDK = new URL('../../packages/sdk/', import.meta.url)
/** Applications by what they import. */
const APPLICATIONS = {
  whole: `export * from '@purser/sdk'`,
  client: `export { createPurser } from '@purser/sdk'`,
  webhooks: `export { verifyWebhook } from '@purser/sdk'`,
}
const ENTRY = '\0application'

for (const [name, source] of Object.entries(APPLICATIONS)) {
  const build = await rolldown({
    input: { [name]: ENTRY },
    platform: 'browser',
    // As it is written, not as it was last built.
    resolve: { conditionNames: ['purser-source', 'browser', 'import', 'default'] },
    plugins: [
      {
        name: 'application',
        resolveId: (id) => (id === ENTRY ? ENTRY : undefined),
        load: (id) => (id === ENTRY ? { code: source, moduleSideEffects: true } : undefined),
      },
    ],
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(message)
    },
  })
  const { output } = await build.write({
    dir: fileURLToPath(new URL('test/dist/', SDK)),
    entryFileNames: '[name].js',
    minify: true,
  })
  await build.close()
  // A page may load some parts later; they were built with it.
  const built = new Set(output.map(({ fileName }) => fileName))
  const [{ imports, dynamicImports }] = output
  if (imports.length > 0 || dynamicImports.some((file) => !built.has(file)))
    throw new Error(`${name}.js is not one file: it imports ${[...imports, ...dynamicImports]}`)
}
