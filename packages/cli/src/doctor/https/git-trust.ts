import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { askGit } from '../../git/run-git.js';
import type { World } from '../../world.js';

/** Which certificates git trusts at an address. */
export interface GitTrust {
  /** In PEM; undefined: the system's. */
  readonly ca: readonly string[] | undefined;
  /** Whether git was told not to look at certificates. */
  readonly off: boolean;
  /** Whether what git trusts can be read here: not where the system keeps it to itself. */
  readonly known: boolean;
}

/** Where systems keep their authorities in one file. */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** The authorities of the system beside Node's own; undefined where the system has no such file. */
export const systemTrust = async (): Promise<readonly string[] | undefined> => {
  for (const path of BUNDLES) {
    const bundle = await readFile(path, 'utf8').catch(() => undefined);
    if (bundle !== undefined) return [...rootCertificates, bundle];
  }
  return undefined;
};

/** Reads what git was told of certificates at the address. */
export const gitTrust = async (world: World, folder: string, url: string): Promise<GitTrust> => {
  const setting = (name: string, ...words: readonly string[]) =>
    askGit(world, ['config', ...words, '--get-urlmatch', name, url], { folder });
  const named = world.env.GIT_SSL_CAINFO || (await setting('http.sslCAInfo', '--type=path'));
  const file = named && (isAbsolute(named) ? named : join(folder, named));
  const pem = file ? await readFile(file, 'utf8').catch(() => undefined) : undefined;
  const off = Boolean(world.env.GIT_SSL_NO_VERIFY) || (await setting('http.sslVerify', '--type=bool')) === 'false';
  const known = pem !== undefined || (world.platform !== 'darwin' && world.platform !== 'win32');
  return { ca: pem === undefined ? undefined : [pem], off, known };
};
