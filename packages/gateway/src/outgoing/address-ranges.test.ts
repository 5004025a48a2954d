import { describe, expect, it } from 'vitest'
import { addressRanges, nonPublicRangeOf } from './address-ranges.ts'

describe('ranges of addresses', () => {
  it.each([
    ['0.0.0.0', '0.255.255.255', 'an address of this network'],
    ['10.0.0.0', '10.255.255.255', 'a private address'],
    ['100.64.0.0', '100.127.255.255', 'a carrier-grade NAT address'],
    ['127.0.0.0', '127.255.255.255', 'a loopback address'],
    ['169.254.0.0', '169.254.255.255', 'a link-local address'],
    ['172.16.0.0', '172.31.255.255', 'a private address'],
    ['192.0.0.0', '192.0.0.255', 'an address for protocols'],
    ['192.0.2.0', '192.0.2.255', 'an address for documentation'],
    ['192.88.99.0', '192.88.99.255', 'a 6to4 relay'],
    ['192.168.0.0', '192.168.255.255', 'a private address'],
    ['198.18.0.0', '198.19.255.255', 'an address for benchmarks'],
    ['198.51.100.0', '198.51.100.255', 'an address for documentation'],
    ['203.0.113.0', '203.0.113.255', 'an address for documentation'],
    ['224.0.0.0', '239.255.255.255', 'a multicast address'],
    ['240.0.0.0', '255.255.255.254', 'a reserved address'],
    ['255.255.255.255', '255.255.255.255', 'the broadcast address'],
    ['::', '0:0:0:0:0:0:0:0', 'the unspecified address'],
    ['::1', '0:0:0:0:0:0:0:1', 'a loopback address'],
    ['::2', '::ffff:ffff', 'an IPv4-compatible address'],
    ['::127.0.0.1', '::8.8.8.8', 'an IPv4-compatible address'],
    ['::ffff:0:0', '::ffff:ffff:ffff', 'an IPv4-mapped address'],
    ['::ffff:127.0.0.1', '::ffff:8.8.8.8', 'an IPv4-mapped address'],
    ['::ffff:0:7f00:1', '::ffff:0:ffff:ffff', 'an IPv4-translated address'],
    ['64:ff9b::', '64:ff9b::ffff:ffff', 'a NAT64 address'],
    ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', 'a NAT64 address'],
    ['100::', '100::ffff:ffff:ffff:ffff', 'a discard-only address'],
    ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff', 'a Teredo address'],
    ['2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff', 'an address for benchmarks'],
    ['2001:1::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', 'an address for protocols'],
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', 'an address for documentation'],
    ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'a 6to4 address'],
    ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', 'an address for documentation'],
    ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'a segment routing address'],
    ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'a private address'],
    ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'a link-local address'],
    ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'a site-local address'],
    ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'a multicast address'],
    ['200::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'a reserved address'],
    ['4000::', '5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'a reserved address'],
    ['8000::', 'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'a reserved address'],
  ])('%s and %s: each is %s', (first, last, name) => {
    expect(nonPublicRangeOf(first)?.name).toBe(name)
    expect(nonPublicRangeOf(last)?.name).toBe(name)
  })

  it.each([
    '1.0.0.0',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.0.3.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '203.0.114.0',
    '223.255.255.255',
    '2000::',
    '2001:200::',
    '2001:db7:ffff::',
    '2001:db9::',
    '2001:4860:4860::8888',
    '2003::',
    '2606:4700::1111',
    '3ffe:ffff::',
  ])('%s is public', (address) => {
    expect(nonPublicRangeOf(address)).toBe(undefined)
  })

  it('only 127.0.0.0/8 and ::1 are loopback', () => {
    const loopback = addressRanges.filter(({ isLoopback }) => isLoopback)
    expect(loopback.map(({ source }) => source)).toEqual(['RFC 1122', 'RFC 4291'])
  })
})
