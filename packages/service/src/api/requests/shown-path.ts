/** A value that stands for an object: an id, a code, an address, a hash. */
const NAME = /^[A-Za-z0-9_.:-]{1,80}$/
/** A secret that somebody wrote in the place of an id. */
const SECRET = /^(purser|tok|whsec|ticket|sk)_|^eyJ/

/** The path as it may be kept: whatever stands in the place of a value and is no name of an object is left out. */
export function shownPath(route: string, path: string): string {
  const parts = route.split('/')
  return path
    .split('/')
    .map((part, i) =>
      !parts[i]?.startsWith('{') || (NAME.test(part) && !SECRET.test(part)) ? part : '…',
    )
    .join('/')
    .slice(0, 500)
}
