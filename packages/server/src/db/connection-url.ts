/** `sslmode` values: PostgreSQL's, and `no-verify` of the driver. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
const NOT_A_URL =
  'must be a URL like postgres://user:password@host:5432/database, with the special characters of the password percent-encoded';

/**
 * Why a PostgreSQL URL is invalid, in a sentence for the operator, or null. Never quotes the URL, which may contain a
 * password.
 */
export function urlProblem(text: string): string | null {
  if (!/^postgres(ql)?:\/\/\S+$/.test(text) || !URL.canParse(withHost(text))) return NOT_A_URL;
  const { searchParams, pathname, hash } = new URL(withHost(text));
  // A slash, question mark or number sign in the password ends the host too early: the rest of it would be shown.
  if ([pathname, hash, ...namesAndHosts(searchParams)].some((part) => part.includes('@'))) return NOT_A_URL;
  const mode = searchParams.get('sslmode');
  if (mode !== null && !SSL_MODES.includes(mode)) return `its sslmode must be one of ${SSL_MODES.join(', ')}`;
  if (mode === 'verify-ca' && !searchParams.get('sslrootcert'))
    return 'its sslmode=verify-ca needs sslrootcert=<file of the certificate authority>; or use sslmode=verify-full';
  return null;
}

/** All of a query but names and passwords of users, which may contain an at sign. */
function namesAndHosts(query: URLSearchParams): string[] {
  return [...query].flatMap(([name, value]) => (name === 'user' || name === 'password' ? [name] : [name, value]));
}

/**
 * Rewrites the URL for the driver so that `sslmode` means the same as in psql: `require` encrypts, and verifies only
 * against `sslrootcert`. By default the driver verifies everything and prints a long warning.
 */
export function forDriver(text: string): string {
  const { searchParams } = new URL(withHost(text));
  const mode = searchParams.get('sslmode');
  if (mode === null || mode === 'no-verify' || searchParams.has('uselibpqcompat')) return text;
  return `${text}&uselibpqcompat=true`;
}

/** The parts of a URL that are safe to show. */
export function describeUrl(text: string) {
  const url = new URL(withHost(text));
  const host = url.searchParams.get('host') ?? (url.hostname === NO_HOST ? 'localhost' : url.hostname);
  const port = url.port || '5432';
  const database = decoded(url.pathname.slice(1));
  const user = url.searchParams.get('user') ?? decoded(url.username);
  return { host, port, database, user, location: `${host}:${port}/${database}` };
}

// A stray percent sign must not make a log line fail.
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const NO_HOST = 'no-host.invalid';

// psql reads `postgres:///database` and `postgres://user@/database` as the local server; `URL` requires a host.
function withHost(text: string): string {
  return text.replace(/^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?=[/?])/, `$1${NO_HOST}`);
}
