import type { Command, Option } from 'commander'
import { command } from '../command.ts'
import { Fault } from '../fault.ts'
import { print } from '../output.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

const INSTALL = `
Add to ~/.bashrc:   eval "$(purser completion bash)"
Add to ~/.zshrc:    eval "$(purser completion zsh)"
For fish:           purser completion fish > ~/.config/fish/completions/purser.fish

The script holds all words, so that the Tab key starts no program and asks no service.`

/** `program` makes the tree of commands, which this command is a part of. */
export const completionCommand = (program: () => Command): Command =>
  command({
    name: 'completion',
    summary: 'print the script that completes commands in your shell',
    example: 'purser completion bash',
    options: (made) => made.argument('<shell>', SHELLS.join(', ')).addHelpText('after', INSTALL),
    run: async ({ json }, name = '') => {
      const shell = SHELLS.find((one) => one === name)
      if (!shell) throw new Fault(`The shell must be one of ${SHELLS.join(', ')}.`)
      const script = completionOf(program(), shell)
      print({ shell, script }, json, () => script)
    },
  })

/** A command that has others, or options: its words, and what may follow. */
type Node = { path: string; children: Word[]; options: Flag[] }
type Word = { name: string; about: string }
type Flag = Word & { takes: 'nothing' | 'a file' | 'a value' }

export const completionOf = (program: Command, shell: Shell): string =>
  WRITERS[shell](nodesOf(program, ''))

function nodesOf(of: Command, path: string): Node[] {
  const children = of.commands.map((one) => ({ name: one.name(), about: one.description() }))
  const below = of.commands.flatMap((one) => nodesOf(one, `${path} ${one.name()}`))
  return [{ path, children, options: [...of.options.flatMap(flagsOf), HELP] }, ...below]
}

const HELP: Flag = { name: '--help', about: 'display help for command', takes: 'nothing' }

function flagsOf({ long, flags, description }: Option): Flag[] {
  if (!long) return []
  const takes = /<file>/.test(flags) ? 'a file' : /[<[]/.test(flags) ? 'a value' : 'nothing'
  return [{ name: long, about: description, takes }]
}

/** A text that each of the shells takes as it is: in it nothing ends the quotes, and nothing is escaped. */
const quoted = (text: string): string => `'${text.replaceAll("'", '’').replaceAll('\\', '/')}'`
const names = (words: readonly Word[]): string => words.map(({ name }) => name).join(' ')
const withFile = (options: readonly Flag[], takes: Flag['takes']): string =>
  [...new Set(options.filter((one) => one.takes === takes).map(({ name }) => name))].join('|')

const WRITERS: Record<Shell, (nodes: readonly Node[]) => string> = { bash, zsh, fish }

function bash(nodes: readonly Node[]): string {
  const options = nodes.flatMap((node) => node.options)
  const cases = nodes.map(
    ({ path, children, options: of }) =>
      `    ${quoted(path)}) words=${quoted(`${names(children)} ${names(of)}`.trim())} ;;`,
  )
  return `_purser() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at='' words='' i
  COMPREPLY=()
  case "$prev" in
    ${withFile(options, 'a file')}) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); compopt -o filenames 2>/dev/null; return ;;
    ${withFile(options, 'a value')}) return ;;
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${pathsOf(nodes).join('|')}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -F _purser purser`
}

const pathsOf = (nodes: readonly Node[]): string[] =>
  nodes.filter(({ path }) => path !== '').map(({ path }) => quoted(path))

function zsh(nodes: readonly Node[]): string {
  const options = nodes.flatMap((node) => node.options)
  const described = ({ name, about }: Word) => quoted(`${name}:${about}`)
  const cases = nodes.map(
    ({ path, children, options: of }) =>
      `    ${quoted(path)}) entries=(${[...children, ...of].map(described).join(' ')}) ;;`,
  )
  return `#compdef purser
_purser() {
  local at='' word
  local -a entries
  case "\${words[CURRENT-1]}" in
    ${withFile(options, 'a file')}) _files; return ;;
    ${withFile(options, 'a value')}) return ;;
  esac
  for word in "\${words[@]:1:$((CURRENT-2))}"; do
    case "$at $word" in
      ${pathsOf(nodes).join('|')}) at="$at $word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  _describe purser entries
}
if [ "$funcstack[1]" = _purser ]; then _purser; else compdef _purser purser; fi`
}

function fish(nodes: readonly Node[]): string {
  const lines = nodes.flatMap(({ path, children, options }) => [
    ...children.map(
      ({ name, about }) =>
        `complete -c purser -n ${quoted(`__purser_at${path}`)} -f -a ${name} -d ${quoted(about)}`,
    ),
    ...options.map(({ name, about, takes }) => {
      const value = { nothing: ' -f', 'a file': ' -r -F', 'a value': ' -x' }[takes]
      return `complete -c purser -n ${quoted(`__purser_at${path}`)} -l ${name.slice(2)}${value} -d ${quoted(about)}`
    }),
  ])
  return `function __purser_at
  set -l at
  set -l paths ${pathsOf(nodes).join(' ')}
  for word in (commandline -opc)[2..-1]
    if contains -- " "(string join ' ' -- $at $word) $paths
      set -a at $word
    end
  end
  test "$at" = "$argv"
end
${lines.join('\n')}`
}
