// The licences of all packages in a bundle.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//;
// Some dependencies are published with other packages inside. Such a line comes before their code and names the package.
const TAKEN_IN = /^\/\/#region .*node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm;

/** The files of which something is in esbuild's output, from its metafile. */
export const inputsOf = ({ outputs }) =>
  Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );

/** Name and folder of each package that these files belong to. */
const foldersIn = (root, paths) => {
  const folders = new Map();
  for (const path of new Set(paths)) {
    const [, folder, name] = PACKAGE.exec(path) ?? [];
    if (name === undefined) continue;
    folders.set(name, folder);
    for (const [, inner] of readFileSync(join(root, path), 'utf8').matchAll(TAKEN_IN))
      if (!folders.has(inner)) folders.set(inner, `node_modules/${inner}`);
  }
  return [...folders].sort(([a], [b]) => (a < b ? -1 : 1));
};

/** The text of the ISC licence, for packages that name it and bring no copy. */
const ISC = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR
CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT,
NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`;

const noticeOf = (root, name, folder) => {
  const manifestFile = join(root, folder, 'package.json');
  if (!existsSync(manifestFile)) throw new Error(`${name} is in the bundle and its licence is not installed`);
  const { version, license, author, repository } = JSON.parse(readFileSync(manifestFile, 'utf8'));
  const texts = readdirSync(join(root, folder))
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
  if (texts.length === 0 && license === 'ISC') texts.push(`Copyright (c) ${author.name ?? author}\n\n${ISC}`);
  if (texts.length === 0) throw new Error(`${name} is in the bundle and has no text of its licence (${license})`);
  const source = typeof repository === 'string' ? repository : repository?.url;
  return [`${name} ${version} (${license})`, ...(source ? [source] : []), '', ...texts].join('\n');
};

/** One text about the packages of these files: version, licence and its text. Throws for a package that is not installed or has no text. */
export const noticesOf = (root, paths) => {
  const line = `\n\n${'-'.repeat(100)}\n\n`;
  const notices = foldersIn(root, paths).map(([name, folder]) => noticeOf(root, name, folder));
  return `${['This package contains the following software of others.', ...notices].join(line)}\n`;
};
