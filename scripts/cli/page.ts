// Writes the table of commands into docs/cli.md. With --check it writes nothing, and fails if the page would change. It is a
// program of its own: the commands are made from what `gen.ts` writes.
import { readFile, writeFile } from 'node:fs/promises'
import { createProgram } from '../../packages/cli/src/main.ts'

const PAGE = new URL('../../docs/cli.md', import.meta.url)
const [BEGIN, END] = ['<!-- commands: npm run gen writes them -->\n', '<!-- end of commands -->']

type Command = ReturnType<typeof createProgram>

/** The words that follow a command's name. */
const below = (command: Pick<Command, 'commands'>): string[] =>
  command.commands.flatMap((child) =>
    child.commands.length === 0
      ? [child.name()]
      : below(child).map((word) => `${child.name()} ${word}`),
  )

function tableOf(program: Command): string {
  const sections = Map.groupBy(program.commands, (one) => one.helpGroup())
  return [...sections]
    .map(([heading, commands]) => {
      const rows = commands.map((command) => {
        const words = below(command).map((word) => `\`${word}\``)
        const about = command.description().replaceAll('|', '\\|')
        return `| \`${command.name()}\` | ${[about, words.join(', ')].filter(Boolean).join('. ')} |`
      })
      return [`| ${heading.replace(':', '')} | |`, '|---|---|', ...rows].join('\n')
    })
    .join('\n\n')
}

const before = await readFile(PAGE, 'utf8')
const [head, rest = ''] = before.split(BEGIN)
const [, tail] = rest.split(END)
if (tail === undefined) throw new Error(`docs/cli.md has no place for the commands: ${BEGIN}`)
const after = `${head}${BEGIN}\n${tableOf(createProgram())}\n\n${END}${tail}`
if (after !== before && process.argv.includes('--check')) {
  console.error('Out of date: docs/cli.md. Run `npm run gen` and commit what it writes.')
  process.exitCode = 1
} else if (after !== before) {
  await writeFile(PAGE, after)
  console.log('Wrote docs/cli.md.')
}
