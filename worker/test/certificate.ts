/** A certificate of this machine's loopback address, which this process trusts, and those that it starts. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Certificate } from './stand-in.ts';

/** Makes one with `openssl`; its files are deleted when this process ends. */
export function trustedCertificate(): Certificate {
  const folder = mkdtempSync(path.join(tmpdir(), 'certificate-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert];
  execFileSync('openssl', [...args, ...subject], { stdio: 'ignore' });
  const certificate = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);
  process.env.NODE_EXTRA_CA_CERTS = cert;
  return certificate;
}
