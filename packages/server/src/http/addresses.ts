import { BlockList, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** IPv4 as a socket shows it that listens for both. */
const MAPPED = /^::ffff:(?=\d+\.)/i;
/** 16-bit parts of an IPv6 address that its network has in common: the first 64 bits (RFC 6177). */
const NETWORK_PARTS = 4;

/**
 * The unit that limits by address count: an IPv4 address, or the network of an IPv6 address, because a single client
 * has all addresses of its network.
 */
export function networkOf(address: string): string {
  // First, because every request passes through here.
  if (!address.includes(':')) return address;
  const plain = address.replace(MAPPED, '');
  if (!plain.includes(':') || !ipaddr.IPv6.isValid(plain)) return plain;
  const parsed = ipaddr.IPv6.parse(plain);
  // IPv4 clients in another spelling, and those behind a translator (RFC 6052).
  if (parsed.range() === 'ipv4Mapped' || parsed.range() === 'rfc6052')
    return new ipaddr.IPv4(parsed.toByteArray().slice(-4)).toString();
  return `${parsed.parts
    .slice(0, NETWORK_PARTS)
    .map((part) => part.toString(16))
    .join(':')}::`;
}

/** Returns a function that tells whether an address is among these addresses and ranges. */
export function addressMatcher(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  // IPv4 mapped into IPv6 matches IPv4 ranges.
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
