import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A key and the certificate made out for it, in PEM. */
export interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

/** An authority of this test run, and what it issued. */
export interface Certificates {
  /** Path of the authority's certificate. */
  readonly authority: string;
  /** Path of another authority's, which issued nothing. */
  readonly otherAuthority: string;
  readonly valid: KeyPair;
  readonly expired: KeyPair;
  readonly wrongName: KeyPair;
  readonly selfSigned: KeyPair;
  remove(): void;
}

/** Has openssl make an authority and certificates for localhost in a folder of their own. */
export const makeCertificates = (): Certificates => {
  const folder = mkdtempSync(join(tmpdir(), 'shipworthy-certificates-'));
  const at = (name: string) => join(folder, name);
  const openssl = (...words: readonly string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' });
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const alone = (name: string, subject: string, ...words: readonly string[]) =>
    openssl(
      'req',
      '-x509',
      ...fresh,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.pem`,
      '-days',
      '2',
      '-subj',
      subject,
      ...words,
    );
  const pair = (name: string): KeyPair => ({
    key: readFileSync(at(`${name}.key`), 'utf8'),
    cert: readFileSync(at(`${name}.pem`), 'utf8'),
  });
  const issued = (name: string, dns: string, days: string): KeyPair => {
    openssl('req', ...fresh, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${dns}`);
    writeFileSync(at(`${name}.ext`), `subjectAltName=DNS:${dns}`);
    const signing = ['-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial', '-extfile', `${name}.ext`];
    openssl('x509', '-req', '-in', `${name}.csr`, ...signing, '-days', days, '-out', `${name}.pem`);
    return pair(name);
  };
  alone('authority', '/CN=Authority of a test');
  alone('other', '/CN=Another authority');
  alone('self', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost');
  return {
    authority: at('authority.pem'),
    otherAuthority: at('other.pem'),
    valid: issued('valid', 'localhost', '2'),
    expired: issued('expired', 'localhost', '-1'),
    wrongName: issued('wrong', 'elsewhere.example', '2'),
    selfSigned: pair('self'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
