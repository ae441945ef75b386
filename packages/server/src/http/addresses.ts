import { BlockList, isIPv6 } from 'node:net';

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
