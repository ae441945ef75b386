/** Whether a host, without a port, is this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Says what open mode means on a host that others reach, and what to do. */
export function openToNetwork(host: string): string {
  return `OPEN TO THE NETWORK: AUTH_MODE=open on HOST ${host} asks nobody for a key. Whoever reaches this port can read and change everything, and place calls. Set AUTH_MODE=required, or HOST=127.0.0.1.`;
}
