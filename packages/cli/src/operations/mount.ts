import { Command } from 'commander'
import { GROUPS, LINES } from './lines.ts'
import { madeCommand } from './made.ts'

/** Adds the commands that are made from openapi.json to those that are written. */
export function mountLines(program: Command): void {
  for (const [operation, words] of Object.entries(LINES)) {
    const names = words.split(' ')
    const group = groupAt(program, names.slice(0, -1))
    // The written groups are one for all programs of a process.
    if (!group.commands.some((one) => one.name() === names.at(-1)))
      group.addCommand(madeCommand(operation, words))
  }
}

function groupAt(program: Command, words: readonly string[]): Command {
  return words.reduce((parent, word, i) => {
    const found = parent.commands.find((one) => one.name() === word)
    if (found) return found
    const made = new Command(word)
    const [section, about = ''] = GROUPS[words.slice(0, i + 1).join(' ')] ?? []
    made.description(about)
    if (section) made.helpGroup(`${section}:`)
    parent.addCommand(made)
    return made
  }, program)
}
