import { BlockList, isIP, SocketAddress } from 'node:net'

/**
 * A range of addresses that belong to no public server. No request to a merchant's URL is sent to one of them, except
 * to a loopback address in the test environment.
 */
export interface AddressRange {
  readonly name: string
  readonly source: string
  readonly isLoopback: boolean
  readonly family: 'ipv4' | 'ipv6'
  readonly blocks: BlockList
}

const row = (network: string, name: string, source: string): AddressRange => {
  const [start = '', bits] = network.split('/')
  const family = isIP(start) === 4 ? 'ipv4' : 'ipv6'
  const blocks = new BlockList()
  blocks.addSubnet(start, Number(bits), family)
  return { name, source, isLoopback: name === 'a loopback address', family, blocks }
}

/**
 * Addresses that belong to no public server, from the special-purpose registries of IANA. More specific ranges come
 * first, because the first match names the address. In IPv6, only 2000::/3 is allocated to servers.
 */
export const addressRanges: readonly AddressRange[] = [
  row('0.0.0.0/8', 'an address of this network', 'RFC 791'),
  row('10.0.0.0/8', 'a private address', 'RFC 1918'),
  row('100.64.0.0/10', 'a carrier-grade NAT address', 'RFC 6598'),
  row('127.0.0.0/8', 'a loopback address', 'RFC 1122'),
  row('169.254.0.0/16', 'a link-local address', 'RFC 3927'),
  row('172.16.0.0/12', 'a private address', 'RFC 1918'),
  row('192.0.0.0/24', 'an address for protocols', 'RFC 6890'),
  row('192.0.2.0/24', 'an address for documentation', 'RFC 5737'),
  row('192.88.99.0/24', 'a 6to4 relay', 'RFC 7526'),
  row('192.168.0.0/16', 'a private address', 'RFC 1918'),
  row('198.18.0.0/15', 'an address for benchmarks', 'RFC 2544'),
  row('198.51.100.0/24', 'an address for documentation', 'RFC 5737'),
  row('203.0.113.0/24', 'an address for documentation', 'RFC 5737'),
  row('224.0.0.0/4', 'a multicast address', 'RFC 5771'),
  row('255.255.255.255/32', 'the broadcast address', 'RFC 919'),
  row('240.0.0.0/4', 'a reserved address', 'RFC 1112'),

  row('::/128', 'the unspecified address', 'RFC 4291'),
  row('::1/128', 'a loopback address', 'RFC 4291'),
  row('::ffff:0:0/96', 'an IPv4-mapped address', 'RFC 4291'),
  row('::ffff:0:0:0/96', 'an IPv4-translated address', 'RFC 2765'),
  row('::/96', 'an IPv4-compatible address', 'RFC 4291'),
  row('64:ff9b::/96', 'a NAT64 address', 'RFC 6052'),
  row('64:ff9b:1::/48', 'a NAT64 address', 'RFC 8215'),
  row('100::/64', 'a discard-only address', 'RFC 6666'),
  row('2001::/32', 'a Teredo address', 'RFC 4380'),
  row('2001:2::/48', 'an address for benchmarks', 'RFC 5180'),
  row('2001::/23', 'an address for protocols', 'RFC 2928'),
  row('2001:db8::/32', 'an address for documentation', 'RFC 3849'),
  row('2002::/16', 'a 6to4 address', 'RFC 3056'),
  row('3fff::/20', 'an address for documentation', 'RFC 9637'),
  row('5f00::/16', 'a segment routing address', 'RFC 9602'),
  row('fc00::/7', 'a private address', 'RFC 4193'),
  row('fe80::/10', 'a link-local address', 'RFC 4291'),
  row('fec0::/10', 'a site-local address', 'RFC 3879'),
  row('ff00::/8', 'a multicast address', 'RFC 4291'),
  row('::/3', 'a reserved address', 'RFC 4291'),
  row('4000::/2', 'a reserved address', 'RFC 4291'),
  row('8000::/1', 'a reserved address', 'RFC 4291'),
]

/**
 * The range that makes an address non-public.
 *
 * @param address IPv4 or IPv6, in any spelling that `isIP` of node:net accepts
 * @returns the range; undefined for a public address
 */
export function nonPublicRangeOf(address: string): AddressRange | undefined {
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  const parsed = new SocketAddress({ address, family })
  return addressRanges.find((range) => range.family === family && range.blocks.check(parsed))
}
