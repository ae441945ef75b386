import { BlockList, isIPv6 } from 'node:net';

/** Whether an address is one of these addresses and ranges, with commas. */
export function addressMatcher(ranges: string | undefined): (address: string) => boolean {
  if (!ranges) return () => false;
  const list = new BlockList();
  for (const range of ranges.split(',')) {
    const [address = '', bits] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  // IPv4 in IPv6 counts as IPv4 there.
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
