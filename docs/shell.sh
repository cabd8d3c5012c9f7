# The shell functions that the pages use: `. docs/shell.sh`, in the folder of the repository, beside a running service.

DEV=${PURSER_DATA_DIR:-data}/dev.json

# pick JSON PATH: prints one member of an answer, and says what the answer was if it has no such member.
pick() {
  node -e '
    const [, text, path] = process.argv
    let value
    try {
      value = path.match(/[^.[\]]+/g).reduce((at, name) => at[name], JSON.parse(text))
    } catch {}
    if (value === undefined) {
      console.error(`There is no "${path}" in the answer: ${text || "(empty)"}`)
      process.exit(1)
    }
    console.log(value)' "$1" "$2"
}

# call URL [curl options]: asks the service in the name of the demo wallet.
call() { curl -sS -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' "$@"; }

BASE=$(pick "$(cat "$DEV")" base_url)
KEY=$(pick "$(cat "$DEV")" demo.api_key)
