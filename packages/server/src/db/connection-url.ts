/**
 * How a connection is encrypted and the server verified; the words are PostgreSQL's own, and `no-verify` the driver's.
 */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/**
 * The problem with a PostgreSQL URL, in a sentence for its owner, or null. Quotes nothing of it: it may hold a
 * password.
 */
export function urlMistake(text: string): string | null {
  if (!/^postgres(ql)?:\/\/\S+$/.test(text) || !URL.canParse(withHost(text)))
    return 'must be a URL like postgres://user:password@host:5432/database, with the special characters of the password percent-encoded';
  const { searchParams } = new URL(withHost(text));
  const mode = searchParams.get('sslmode');
  if (mode !== null && !SSL_MODES.includes(mode)) return `its sslmode must be one of ${SSL_MODES.join(', ')}`;
  if (mode === 'verify-ca' && !searchParams.get('sslrootcert'))
    return 'its sslmode=verify-ca needs sslrootcert=<file of the certificate authority>; or use sslmode=verify-full';
  return null;
}

/**
 * The URL as the driver takes it, so that `sslmode` means what it means to psql: `require` encrypts and verifies
 * nothing but what `sslrootcert` names. Without this the driver verifies everything and prints a warning of several
 * lines.
 */
export function forDriver(text: string): string {
  const { searchParams } = new URL(withHost(text));
  const mode = searchParams.get('sslmode');
  if (mode === null || mode === 'no-verify' || searchParams.has('uselibpqcompat')) return text;
  return `${text}&uselibpqcompat=true`;
}

/** The parts of a URL that may be shown. */
export function describeUrl(text: string) {
  const url = new URL(withHost(text));
  const host = url.searchParams.get('host') ?? (url.hostname === NO_HOST ? 'localhost' : url.hostname);
  const port = url.port || '5432';
  const database = decoded(url.pathname.slice(1));
  const user = url.searchParams.get('user') ?? decoded(url.username);
  return { host, port, database, user, location: `${host}:${port}/${database}` };
}

// A stray per cent sign is no reason to fail where something is only shown.
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const NO_HOST = 'no-host.invalid';

// `postgres:///database` and `postgres://user@/database` mean the server on this machine; a URL must have a host.
function withHost(text: string): string {
  return text.replace(/^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?=[/?])/, `$1${NO_HOST}`);
}
