// Compiles the package in whose folder it runs once more, for `require` and for TypeScript projects of CommonJS, into `dist/cjs`.
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'

const form = ['--module', 'commonjs', '--moduleResolution', 'bundler']
const place = ['--verbatimModuleSyntax', 'false', '--outDir', 'dist/cjs']
execFileSync('tsc', ['-p', 'tsconfig.build.json', ...form, ...place], { stdio: 'inherit' })
writeFileSync('dist/cjs/package.json', '{"type":"commonjs"}\n')

// Names such as `#crypto` belong to the package.json above, which is not the nearest one any more. Node alone requires.
const { imports = {} } = JSON.parse(readFileSync('package.json', 'utf8'))
for (const [name, { node }] of Object.entries<{ node: string }>(imports))
  for (const file of globSync('dist/cjs/*.js')) {
    const text = readFileSync(file, 'utf8')
    const own = `require("${node.replace('./dist/', './')}")`
    writeFileSync(file, text.replaceAll(`require("${name}")`, own))
  }
