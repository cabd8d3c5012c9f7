import { perServices } from '../../api/http/services.ts'

const failing = perServices(() => new Map<string, Date>())

/** Notes how a part was found, and returns since when it has failed, as far as this process knows; undefined if it does not. */
export function noteCheck(
  services: object,
  { name, ok, at }: { name: string; ok: boolean; at: Date },
): Date | undefined {
  const known = failing(services)
  if (ok) known.delete(name)
  else if (!known.has(name)) known.set(name, at)
  return known.get(name)
}
