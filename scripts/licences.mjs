// Checks that every dependency has an allowed licence: from a strict list for what is shipped with a package of ours,
// from a longer list for tools that stay here. Prints every breach; exit 1 on any.
// Usage: node scripts/licences.mjs [checkout]
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFound } from './locked-packages.mjs';

const root = resolve(process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url))));

/** Licences that only ask for their text beside a copy; the one for fonts also that no font is sold by itself. */
const SHIPPED = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  '0BSD',
  'CC0-1.0',
  'OFL-1.1',
];
/** Licences for tools: the further ones ask something only of copies that are handed on, and tools are not. */
const TOOLS = [...SHIPPED, 'MPL-2.0', 'Python-2.0', 'PSF-2.0', 'Zlib', 'CC-BY-3.0', 'CC-BY-4.0'];
/** Tools whose manifest has no valid SPDX expression, by name: what it says, and what the author means. */
const MEANT = { gitconfiglocal: { says: 'BSD', means: 'BSD-3-Clause' } };

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const locked = readJson(join(root, 'package-lock.json')).packages;
const breaches = [];

/** Whether an SPDX expression of names, AND, OR and brackets is satisfied by the allowed names. */
const allows = (expression, allowed) => {
  const words = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const one = () => {
    if (words[at] !== '(') return allowed.includes(words[at++]);
    at += 1;
    const inside = either();
    return words[at++] === ')' && inside;
  };
  const both = () => {
    let all = one();
    while (words[at] === 'AND' && ++at) all = one() && all;
    return all;
  };
  const either = () => {
    let any = both();
    while (words[at] === 'OR' && ++at) any = both() || any;
    return any;
  };
  return either() && at === words.length;
};

/** The licence of a package: from its manifest where it is installed, otherwise from the lock file. */
const licenceOf = (path) => {
  const manifest = join(root, path, 'package.json');
  const said = existsSync(manifest) ? readJson(manifest) : locked[path];
  const old = said.licenses?.map(({ type }) => type).join(' OR ');
  const licence = said.license?.type ?? said.license ?? old ?? locked[path].license;
  const { says, means } = MEANT[path.split('node_modules/').at(-1)] ?? {};
  return licence === says ? means : licence;
};

/** The packages that the sources below a folder import; these are in its bundle. */
const namedIn = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8'))
    .flatMap((text) => [...text.matchAll(/\b(?:from|import)\s*\(?\s*'((?:@[^/']+\/)?[^./@'][^/':]*)[^':]*'/g)])
    .map(([, name]) => name);

/** What leaves this checkout: published packages, and everything shipped as a bundle. */
const ships = Object.keys(locked).filter((path) => {
  if (path === '' || path.includes('node_modules/') || !existsSync(join(root, path, 'package.json'))) return false;
  return !readJson(join(root, path, 'package.json')).private || existsSync(join(root, path, 'action.yml'));
});

const shipped = new Set();
const ship = (path) => {
  if (path === undefined || shipped.has(path)) return;
  shipped.add(path);
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta: peers } = locked[path];
  const needed = Object.keys({ ...dependencies, ...optionalDependencies });
  const expected = Object.keys(peerDependencies ?? {}).filter((name) => !peers?.[name]?.optional);
  for (const name of [...needed, ...expected]) ship(packageFound(locked, path, name));
};
for (const path of ships) {
  ship(path);
  const own = locked[path].devDependencies ?? {};
  const bundled = Object.keys(own).length === 0 ? [] : namedIn(join(path, 'src')).filter((name) => name in own);
  for (const name of new Set(bundled)) ship(packageFound(locked, path, name));
}

let judged = 0;
for (const [path, { link }] of Object.entries(locked)) {
  if (link || !path.includes('node_modules/')) continue;
  judged += 1;
  const licence = licenceOf(path);
  const [list, use] = shipped.has(path) ? [SHIPPED, 'what is shipped'] : [TOOLS, 'a tool'];
  if (typeof licence !== 'string') breaches.push(`${path}: no licence is named`);
  else if (!allows(licence, list)) breaches.push(`${path}: ${licence} is not allowed for ${use}`);
}
const others = [...shipped].filter((path) => path.includes('node_modules/')).length;
if (ships.length === 0 || others === 0) breaches.push('nothing that is shipped was seen');

for (const line of breaches) process.stdout.write(`${line}\n`);
process.stdout.write(`${judged} dependencies, ${others} of them shipped with ${ships.join(', ')}: `);
process.stdout.write(`${breaches.length} breaches\n`);
process.exit(breaches.length === 0 ? 0 : 1);
