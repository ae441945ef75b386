import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The only part of IPv6 from which global unicast addresses are assigned (IANA, RFC 3513). */
const ASSIGNED = ipaddr.IPv6.parseCIDR('2000::/3');
/**
 * Ranges inside that, and in IPv4, which `ipaddr.js` takes for public: protocol assignments with Teredo, documentation,
 * 6to4, and Azure's platform address (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16).
 */
const NOT_PUBLIC: Range[] = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '168.63.129.16/32'].map((range) =>
  ipaddr.parseCIDR(range),
);

/**
 * Whether an address is public: global unicast, and neither inside nor special. IPv4-mapped addresses are judged by
 * their IPv4 address; translated IPv4 (NAT64, 6to4, Teredo) is refused.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  const isIn = ([range, bits]: Range) => range.kind() === address.kind() && address.match(range, bits);
  if (address.kind() === 'ipv6' && !isIn(ASSIGNED)) return false;
  return address.range() === 'unicast' && !NOT_PUBLIC.some(isIn);
}

/** Whether a URL's host is an IP address, which is never resolved, and not a public one. */
export function isPrivateHost(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  return isIP(address) !== 0 && !isPublicAddress(address);
}

/** A name has an address that is not public. */
export class NotPublicError extends Error {
  constructor(hostname: string) {
    super(`the address of ${hostname} is not public`);
    this.name = 'NotPublicError';
  }
}

/**
 * A resolver that refuses a name if any of its addresses is not public. The connection resolves through it, so that
 * the address that is checked is the one that is connected to.
 */
export function publicOnly(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, address, family) => {
      const all = typeof address === 'string' ? [{ address }] : (address ?? []);
      if (error || all.every((one) => isPublicAddress(one.address))) callback(error, address, family);
      else callback(new NotPublicError(hostname), address, family);
    });
}
