/** Checks that each exported name is declared in only one file of all packages' sources, so that it has one meaning. */
import { declaredIn } from './source-file.mjs';

/**
 * Pairs of folders that may declare the same names, since they hold the same things in two forms: as the contract sends
 * them and as the domain knows them, or as two adapters of one port.
 */
const FORMS = [
  ['client/src/contract', 'domain/src'],
  ['adapters/src/memory', 'adapters/src/knex'],
  ['adapters/src/knex/postgres', 'adapters/src/knex/sqlite'],
  ['adapters/src/github', 'adapters/src/gitlab'],
].map((rooms) => rooms.map((room) => `packages/${room}/`));

/** Names of things that are declared twice, in packages that must not import one another. */
const SAME = new Set(['Problem', 'parsedUrl']);

const areForms = ([one, other, ...more]) =>
  more.length === 0 &&
  FORMS.some(
    ([room, second]) =>
      (one.startsWith(room) && other.startsWith(second)) || (one.startsWith(second) && other.startsWith(room)),
  );

/** Exported names that several files declare, each with those files. A re-export does not count as a declaration. */
export const namesTwice = (sources) => {
  const declaring = new Map();
  for (const [path, text] of sources)
    for (const [name, isExported] of declaredIn(text))
      if (isExported) declaring.set(name, [...(declaring.get(name) ?? []), path]);
  return new Map(
    [...declaring].filter(([name, paths]) => paths.length > 1 && !SAME.has(name) && !areForms(paths)).sort(),
  );
};

/** Calls `breach` for every exported name that several files declare. */
export const checkNames = (sources, breach) => {
  for (const [name, paths] of namesTwice(sources))
    breach(paths.join(', '), `export ${name}: one name, one meaning; name it for what it is here, or import it`);
};
