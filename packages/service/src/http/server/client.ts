import { isIPv6 } from 'node:net'

/** The network of an address: an IPv6 one without its last half, all of which one machine may use. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip) || ip.includes('.')) return ip
  const [head = '', tail] = ip.split('%')[0]!.split('::')
  const [before, after] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean))
  const zeros = tail === undefined ? 0 : 8 - (before!.length + after!.length)
  const groups = [...before!, ...Array<string>(zeros).fill('0'), ...after!]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
