import { isIPv6 } from 'node:net'

const groupsOf = (part: string): string[] => part.split(':').filter(Boolean)

/** The network of an address: an IPv6 one without its last half, all of which one machine may use. */
export function networkOf(ip: string): string {
  const [address = ''] = ip.split('%')
  if (!isIPv6(address) || address.includes('.')) return ip
  const [head = '', tail] = address.split('::')
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')]
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
