// Says what moving files changed: node scripts/moves/compare.mjs COMMIT packages/cli
// Compares the package as it is with the commit. Lines of sources and tests but for imports: the same, as often (titles and
// assertions of tests are lines among them; a name that was changed shows here, to be read). Names at the faces of the
// package: the same. Ends with 1 where a face differs.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { declaredIn, withoutImports } from './source-file.mjs';

const [commit, root] = process.argv.slice(2);
const git = (...words) => execFileSync('git', words, { encoding: 'utf8', maxBuffer: 2 ** 28 });
const isSource = (path) => /^(src|test)\/.*\.tsx?$/.test(path) && !path.endsWith('.d.ts');

const before = new Map(
  git('ls-tree', '-r', '--name-only', commit, root)
    .split('\n')
    .map((path) => posix.relative(root, path))
    .filter(isSource)
    .map((path) => [path, git('show', `${commit}:${posix.join(root, path)}`)]),
);
const now = new Map(
  readdirSync(root, { recursive: true })
    .filter(isSource)
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
);

const linesOf = (files) => {
  const counts = new Map();
  for (const text of files.values())
    for (const line of withoutImports(text)
      .split('\n')
      .map((one) => one.trim()))
      if (line !== '' && !/^export .* from '.*';$/.test(line)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
};
const [were, are] = [linesOf(before), linesOf(now)];
for (const line of [...new Set([...were.keys(), ...are.keys()])].sort()) {
  const more = (are.get(line) ?? 0) - (were.get(line) ?? 0);
  if (more !== 0) process.stdout.write(`${more > 0 ? '+' : '-'} ${line}\n`);
}

/** Names that a file exports, with what it hands on. */
const exportedBy = (files, file, seen = new Set()) => {
  if (seen.has(file)) return [];
  const names = [...declaredIn(files.get(file))].filter(([, isExported]) => isExported).map(([name]) => name);
  for (const [, braces, from] of files.get(file).matchAll(/^export (?:type )?(?:\*|\{([^}]*)\}) from '([^']+)';$/gm)) {
    const path = posix.join(posix.dirname(file), from).replace(/\.js$/, '');
    const target = [`${path}.ts`, `${path}.tsx`].find((candidate) => files.has(candidate));
    if (braces === undefined) names.push(...exportedBy(files, target, new Set([...seen, file])));
    else
      names.push(
        ...braces.split(',').map((part) =>
          part
            .trim()
            .replace(/^type /, '')
            .split(' as ')
            .at(-1),
        ),
      );
  }
  return names.filter((name) => name !== '');
};

const { exports: entries = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const faces = Object.values(entries)
  .map((entry) => /dist\/((?:src|test)\/.*)\.js$/.exec(entry.default ?? entry)?.[1])
  .filter((path) => path !== undefined);
let differ = 0;
for (const face of faces.map((path) => `${path}.ts`)) {
  const [old, present] = [before, now].map((files) => new Set(files.has(face) ? exportedBy(files, face) : []));
  const lost = [...old].filter((name) => !present.has(name));
  const gained = [...present].filter((name) => !old.has(name));
  differ += lost.length + gained.length;
  process.stdout.write(
    `${face}: ${present.size} names; lost: ${lost.join(' ') || 'none'}; gained: ${gained.join(' ') || 'none'}\n`,
  );
}
process.stdout.write(`${before.size} files became ${now.size}\n`);
process.exit(differ === 0 ? 0 : 1);
