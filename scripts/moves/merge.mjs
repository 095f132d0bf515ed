// Merges files of a package by subject: node scripts/moves/merge.mjs packages/cli MAP
// A line of the map is "new.ts <- one.ts other.ts", below src; tests of the same names follow. Only moves: where two files of
// a subject declare one name differently, or know two things by it, it lists them, changes nothing and ends with 1. Rename
// them in place first. Afterwards format, build, check the architecture, and compare (compare.mjs).
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { declaredIn, importsOf, withoutImports } from './source-file.mjs';

const [root, mapFile] = process.argv.slice(2);
const files = readdirSync(root, { recursive: true })
  .filter((path) => /^(src|test)\/.*\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
  .sort();
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

/** Tests are found by `.test.ts` alone, also those of a screen. */
const asTest = (file) => file.replace(/^src/, 'test').replace(/\.tsx?$/, '.test.ts');
const merged = new Map();
for (const line of readFileSync(mapFile, 'utf8')
  .split('\n')
  .filter((text) => text.includes('<-'))) {
  const [target, parts] = line.split('<-').map((half) => half.trim());
  const sources = parts.split(/\s+/).map((part) => `src/${part}`);
  const missing = sources.filter((source) => !texts.has(source));
  if (missing.length > 0) throw new Error(`Not there: ${missing.join(', ')}`);
  merged.set(`src/${target}`, sources);
  const tests = sources.map(asTest).filter((test) => texts.has(test));
  if (tests.length > 0) merged.set(asTest(`src/${target}`), tests);
}
const homes = new Map(files.map((file) => [file, file]));
for (const [target, sources] of merged) for (const source of sources) homes.set(source, target);

/** The file of the package that an import means, before the move. */
const meant = (file, from) => {
  if (!from.startsWith('.')) return undefined;
  const path = posix.join(posix.dirname(file), from).replace(/\.js$/, '');
  return [`${path}.ts`, `${path}.tsx`].find((candidate) => texts.has(candidate));
};
const pathTo = (file, target) => {
  const path = posix.relative(posix.dirname(file), target).replace(/\.tsx?$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
};
/** The import of `source` after its move to `home`. */
const moved = (source, home, from) => {
  const target = meant(source, from);
  if (target !== undefined) return pathTo(home, homes.get(target));
  return from.startsWith('.') ? pathTo(home, posix.join(posix.dirname(source), from)) : from;
};

/** The sources of a file, each after those it needs while it is loaded. */
const inOrder = (sources) => {
  const order = [];
  const place = (source) => {
    if (order.includes(source)) return;
    for (const { from, names } of importsOf(texts.get(source))) {
      const needed = meant(source, from);
      if (sources.includes(needed) && needed !== source && names.some(({ isType }) => !isType)) place(needed);
    }
    order.push(source);
  };
  sources.forEach(place);
  return order;
};

const clashes = [];
const clash = (file, name, why) => clashes.push(`${file}: ${name} ${why}`);

const findClashes = (home, sources) => {
  const declared = new Map();
  const imported = new Map();
  for (const source of sources) {
    for (const name of declaredIn(texts.get(source)).keys()) {
      if (declared.has(name)) clash(home, name, `is declared in ${declared.get(name)} and ${source}`);
      declared.set(name, source);
    }
    for (const { from, names, whole, space } of importsOf(texts.get(source))) {
      const isInside = sources.includes(meant(source, from));
      for (const { name, as } of [
        ...names,
        ...[whole, space].filter(Boolean).map(({ as: all }) => ({ name: '*', as: all })),
      ]) {
        if (isInside && as !== name) clash(home, as, `stands for ${name} in ${source}`);
        if (isInside) continue;
        const what = `${name} of ${moved(source, home, from)}`;
        if ((imported.get(as) ?? what) !== what) clash(home, as, `is ${imported.get(as)} and ${what}`);
        imported.set(as, what);
      }
    }
  }
  for (const [name, what] of imported)
    if (declared.has(name)) clash(home, name, `is ${what} and declared in ${declared.get(name)}`);
};

const importLines = (home, sources) => {
  const lines = new Map();
  for (const source of sources)
    for (const { from, attributes, whole, space, names } of importsOf(texts.get(source))) {
      if (homes.get(meant(source, from)) === home) continue;
      const path = moved(source, home, from);
      const line = lines.get(path) ?? { attributes, named: new Map(), alone: new Set() };
      lines.set(path, line);
      if (whole === undefined && space === undefined && names.length === 0) line.alone.add(`import '${path}'`);
      if (whole) line.alone.add(`import ${whole.isType ? 'type ' : ''}${whole.as} from '${path}'`);
      if (space) line.alone.add(`import ${space.isType ? 'type ' : ''}* as ${space.as} from '${path}'`);
      for (const { name, as, isType } of names) {
        const text = name === as ? name : `${name} as ${as}`;
        line.named.set(text, isType && (line.named.get(text) ?? true));
      }
    }
  return [...lines].flatMap(([path, { attributes, named, alone }]) => {
    const names = [...named].map(([text, isType]) => (isType ? `type ${text}` : text));
    const braces = names.length === 0 ? [] : [`import { ${names.join(', ')} } from '${path}'`];
    return [...alone, ...braces].map((text) => `${text}${attributes};\n`);
  });
};

const bodyOf = (source, home) =>
  withoutImports(texts.get(source))
    .replace(/^(export [^;]*? from )'([^']+)';$/gm, (_, words, from) => `${words}'${moved(source, home, from)}';`)
    .replace(/(\bimport\(\s*)'([^']+)'/g, (_, words, from) => `${words}'${moved(source, home, from)}'`)
    .trim();

const written = new Map();
for (const [target, sources] of merged) findClashes(target, sources);
for (const file of new Set(homes.values())) {
  const sources = inOrder(merged.get(file) ?? [file]);
  const bodies = sources.map((source) => bodyOf(source, file));
  const text = `${importLines(file, sources).join('')}\n${bodies.join('\n\n')}\n`;
  const isMoved =
    merged.has(file) ||
    importsOf(texts.get(file)).some(({ from }) => homes.get(meant(file, from)) !== meant(file, from));
  if (isMoved || bodies[0] !== withoutImports(texts.get(file)).trim()) written.set(file, text);
}
if (clashes.length > 0) {
  process.stdout.write(`${clashes.join('\n')}\n${clashes.length} clashes, nothing was moved\n`);
  process.exit(1);
}
for (const [source, home] of homes) if (source !== home) rmSync(join(root, source));
for (const [file, text] of written) {
  if (!existsSync(join(root, dirname(file)))) mkdirSync(join(root, dirname(file)), { recursive: true });
  writeFileSync(join(root, file), text);
}
process.stdout.write(`${files.length} files became ${new Set(homes.values()).size}\n`);
