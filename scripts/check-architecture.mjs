// Checks the source against ARCHITECTURE.md: which package and which folder may import which, where clocks and
// environment may be read, how long a file and how full a folder may be, how a folder may be called, which files may
// hold SQL text, that an exported name is declared once. Checks ARCHITECTURE.md and the glossary against the source.
// Prints every breach; exit 1 on any.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkDocument } from './architecture/document.mjs';
import { checkGlossary } from './architecture/glossary.mjs';
import { checkNames } from './architecture/names.mjs';
import { checkSizes, LONG_FILE_LINES, linesOf } from './architecture/sizes.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const NAMELESS = /^(utils?|helpers?|common|misc|types?|shared|base)$/;

/**
 * What each package may import. `arrows`: packages of this repository, or single entries of them. `node`: whether
 * Node's own modules, and then any other package; where it is false, only those in `packages`.
 */
const PACKAGES = {
  domain: { arrows: [], node: false },
  client: { arrows: [], node: false },
  adapters: { arrows: ['@shipworthy/domain'], node: true },
  server: {
    arrows: [
      ...['@shipworthy/domain', '@shipworthy/adapters', '@shipworthy/client/contract'],
      '@shipworthy/client/node-version',
    ],
    node: true,
  },
  'test-reports': { arrows: [], node: false, packages: ['@streamparser/json', 'saxes'] },
  web: {
    arrows: [
      ...['@shipworthy/client', '@shipworthy/domain/readiness', '@shipworthy/domain/search'],
      '@shipworthy/test-reports',
    ],
    node: false,
    packages: ['preact', 'preact/hooks', 'preact-iso', '@preact/signals'],
  },
  cli: { arrows: ['@shipworthy/client', '@shipworthy/domain/readiness', '@shipworthy/test-reports'], node: true },
  bench: { arrows: ['@shipworthy/'], node: true },
  'github-action': { arrows: ['@shipworthy/cli'], node: true },
};

/**
 * Rooms (top folders and files) of the domain by floor, the lowest first; `nouns`: all that are not named here. A room
 * imports rooms of lower floors, and rooms of its own floor without a circle.
 */
const DOMAIN_FLOORS = [
  ['time', 'page', 'errors'],
  ['readiness'],
  'nouns',
  ['analysis'],
  ['ports'],
  ['use-cases'],
  ['index'],
];

/** Modules that only sources of these paths may import. */
const ONLY_IN = {
  tsyringe: /^packages\/server\/src\/composition\//,
  'reflect-metadata': /^packages\/server\/src\/composition\//,
  '@shipworthy/cli': /^integrations\//,
  '@actions/core': /^integrations\/github-action\//,
  sqlite3: /^packages\/(adapters\/src\/knex|bench\/src)\//,
  octokit: /^packages\/adapters\/src\/github\//,
  oauth4webapi: /^packages\/adapters\/src\/host-http\//,
};

/** Where the outside world's time, chance and environment may be read. */
const MAY_BE_IMPURE =
  /^packages\/(adapters|bench)\/|^packages\/server\/src\/(config|main)\.ts$|^packages\/cli\/src\/process-world\.ts$|^packages\/web\/src\/|\/test\//;
const IMPURE = /\bnew Date\(\)|\bDate\.now\(|\bMath\.random\(|\bprocess\.env\b/;

/**
 * Where SQL text is allowed: in files named `sql`, in the migrations, and in code for one of the two databases alone.
 * Everything else is built by knex.
 */
const MAY_HOLD_SQL =
  /(^|[-/])sql\.ts$|^packages\/adapters\/src\/knex\/(migrations|postgres|sqlite)\/|\/knex\/dialect\.ts$/;
const SQL_TEXT =
  /[`'"]\s*(select|insert into|update \S+ set|delete from|with \S+ as|create (table|view|unique|index)|alter table|drop (table|view))\s|\b\w*[rR]aw\(\s*[`'"]/;
const SAYS_WHY = /^\/\/ SQL by hand/;

const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : filesBelow(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });

const unixPath = (path) => relative(root, path).split(sep).join('/');
const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/.*$/gm, '$1');
const importsOf = (text) =>
  [...text.matchAll(/(?<!['"])\b(?:from|import)(?!['"]\s*[\]:])\s*\(?\s*['"]([^'"\n]+)['"]/g)].map((match) => match[1]);

const breaches = [];
const breach = (path, rule) => breaches.push(`${path}: ${rule}`);
const roomArrows = new Map();

const roomOf = (path) => {
  const inside = path.split('/').slice(3);
  return inside.length === 1 ? inside[0].replace(/\.tsx?$/, '') : inside[0];
};

const floorOf = (room) => {
  const named = DOMAIN_FLOORS.findIndex((floor) => Array.isArray(floor) && floor.includes(room));
  return named >= 0 ? named : DOMAIN_FLOORS.indexOf('nouns');
};

const checkModule = (path, pack, name) => {
  const rules = PACKAGES[pack];
  if (name.startsWith('@shipworthy/')) {
    const allowed = rules.arrows.some(
      (arrow) => name === arrow || name.startsWith(arrow.endsWith('/') ? arrow : `${arrow}/`),
    );
    if (!allowed) breach(path, `${pack} must not import ${name}`);
  } else if (name.startsWith('node:')) {
    if (!rules.node) breach(path, `${pack} must not import Node's ${name}`);
  } else if (!rules.node && !rules.packages?.includes(name)) breach(path, `${pack} must not import ${name}`);
  const owner = ONLY_IN[name];
  if (owner && !owner.test(path)) breach(path, `only ${owner.source} may import ${name}`);
};

const checkNeighbour = (path, pack, name) => {
  const target = unixPath(resolve(root, dirname(path), name));
  const home = path.split('/').slice(0, 2).join('/');
  if (!target.startsWith(`${home}/src/`)) return breach(path, `reaches out of its package: ${name}`);
  const from = roomOf(path);
  const to = roomOf(target.replace(/\.js$/, '.ts'));
  if (from === to) return;
  const arrows = roomArrows.get(pack) ?? roomArrows.set(pack, new Map()).get(pack);
  (arrows.get(from) ?? arrows.set(from, new Map()).get(from)).set(to, path);
  if (pack === 'domain' && floorOf(to) > floorOf(from)) breach(path, `upward arrow from ${from} to ${to}`);
};

const checkSource = (path, text) => {
  const pack = path.split('/')[1];
  if (!PACKAGES[pack])
    return breach(path, `unknown package ${pack}: give it its rules in scripts/check-architecture.mjs`);
  const code = withoutComments(text);
  for (const name of importsOf(code))
    if (name.startsWith('.')) checkNeighbour(path, pack, name);
    else checkModule(path, pack, name);
  if (pack === 'adapters' && path.startsWith('packages/adapters/src/knex/')) {
    if (SQL_TEXT.test(code) && !MAY_HOLD_SQL.test(path))
      breach(path, 'SQL text; use the builder, or a file called -sql');
    if (/[-/]sql\.ts$/.test(path) && !SAYS_WHY.test(text))
      breach(path, 'does not begin with why its SQL is written by hand');
  }
  if (IMPURE.test(code) && !MAY_BE_IMPURE.test(path)) breach(path, 'reads clock, chance or environment');
};

/** A circle among rooms of one package, as a path, or undefined. */
const circleIn = (arrows) => {
  const done = new Set();
  const visit = (room, trail) => {
    if (trail.includes(room)) return [...trail.slice(trail.indexOf(room)), room];
    if (done.has(room)) return undefined;
    for (const next of arrows.get(room)?.keys() ?? []) {
      const circle = visit(next, [...trail, room]);
      if (circle) return circle;
    }
    done.add(room);
    return undefined;
  };
  for (const room of arrows.keys()) {
    const circle = visit(room, []);
    if (circle) return circle;
  }
  return undefined;
};

const files = ['packages', 'examples', 'integrations'].flatMap((folder) => filesBelow(join(root, folder)));
let sources = 0;
const ofPackages = new Map();
for (const file of files) {
  const path = unixPath(file);
  const text = readFileSync(file, 'utf8');
  const isOfPackage = /^packages\/[^/]+\/src\//.test(path);
  if (isOfPackage) ofPackages.set(path, text);
  else if (linesOf(text) > LONG_FILE_LINES) breach(path, `${linesOf(text)} lines; ${LONG_FILE_LINES} at most`);
  for (const name of path
    .replace(/\.tsx?$/, '')
    .split('/')
    .slice(2))
    if (NAMELESS.test(name)) breach(path, `"${name}" says nothing about what is inside`);
  if (/^(packages|integrations)\/[^/]+\/src\//.test(path)) {
    sources += 1;
    checkSource(path, text);
  }
}
checkNames(ofPackages, breach);
checkSizes(ofPackages, breach);
checkGlossary(ofPackages, readFileSync(join(root, 'docs', 'glossary.md'), 'utf8'), breach);
const PICTURED = ['domain', 'client', 'test-reports', 'adapters', 'server', 'web', 'cli'];
checkDocument(
  readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'),
  PICTURED.flatMap((pack) => PACKAGES[pack].arrows.map((arrow) => `${pack} -> ${arrow.replace('@shipworthy/', '')}`)),
  (path) => existsSync(join(root, path)),
  breach,
);
for (const [pack, arrows] of roomArrows) {
  const circle = circleIn(arrows);
  if (circle) breach(pack, `circle of rooms: ${circle.join(' -> ')}`);
}
for (const home of [
  ...['domain', 'adapters', 'client', 'server', 'test-reports', 'web', 'cli'].map((pack) => `packages/${pack}`),
  'integrations/github-action',
])
  if (!files.some((file) => unixPath(file).startsWith(`${home}/src/`))) breach(home, 'no source was seen');

for (const line of breaches) process.stdout.write(`${line}\n`);
process.stdout.write(`${sources} source files held to ARCHITECTURE.md, ${breaches.length} breaches\n`);
process.exit(breaches.length === 0 ? 0 : 1);
