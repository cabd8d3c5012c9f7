import { BlockList, isIP } from 'node:net'

/**
 * IPv4 ranges outside the public internet: IANA's special registry, and a cloud's internal service on a public address.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** Ranges inside 2000::/3 that are not public: Teredo and other protocol ranges, documentation, 6to4. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

/** A set of address ranges. Throws on an entry that is neither an address nor a CIDR range. */
export function addressRanges(entries: readonly string[]): BlockList {
  const ranges = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const bits = isIP(address) === 4 ? 32 : 128
    if (!isAddressRange(entry)) throw new Error(`not an address range: ${entry}`)
    ranges.addSubnet(address, prefix === undefined ? bits : Number(prefix), family(address))
  }
  return ranges
}

/** Whether the text is an IP address or a CIDR range. */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  if (bits < 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
}

export const isInRanges = (ranges: BlockList, address: string): boolean =>
  isIP(address) !== 0 && ranges.check(address, family(address))

const specialIpv4 = addressRanges(SPECIAL_IPV4)
const specialIpv6 = addressRanges(SPECIAL_IPV6)
const globalIpv6 = addressRanges(['2000::/3'])

/** Whether an address is on the public internet. IPv6 that wraps IPv4 (mapped, NAT64, 6to4) never counts as public. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !isInRanges(specialIpv4, address)
  return isInRanges(globalIpv6, address) && !isInRanges(specialIpv6, address)
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}
