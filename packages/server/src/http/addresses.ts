import { BlockList, isIPv6 } from 'node:net';

/** Whether an address is one of these addresses and ranges. */
export function addressMatcher(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  // IPv4 in IPv6 counts as IPv4 there.
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
