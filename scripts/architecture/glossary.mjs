/** Checks that the glossary explains every type of the domain that many files use. */

/** A type that this many sources name is a term of the domain. */
export const LEAST_FILES_OF_TERM = 10;

const TYPE = /^export (?:abstract )?(?:interface|type|class|enum) (\w+)/gm;
const NOT_CODE = /\/\*[\s\S]*?\*\/|\/\/.*$|^import [\s\S]*? from '[^']+';$/gm;

/** `ReleaseWindow` as people write it: `release window`. */
const plainWords = (name) => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

/**
 * The exported types of the domain that ten or more sources use, with how many do. An import alone does not count.
 * `sources`: text by path.
 */
export const widelyUsedTypes = (sources) => {
  const declared = new Set();
  for (const [path, text] of sources)
    if (path.startsWith('packages/domain/src/')) for (const [, name] of text.matchAll(TYPE)) declared.add(name);
  const uses = new Map([...declared].map((name) => [name, 0]));
  for (const text of sources.values())
    for (const name of new Set(text.replace(NOT_CODE, '').match(/\w+/g)))
      if (uses.has(name)) uses.set(name, uses.get(name) + 1);
  return new Map([...uses].filter(([, files]) => files >= LEAST_FILES_OF_TERM).sort());
};

/** The names that the first column of the glossary explains: as plain words, or in backticks as the code writes them. */
const explainedIn = (glossary) => {
  const columns = [...glossary.matchAll(/^\| (.+?) \|/gm)].map(([, column]) => column);
  const inCode = columns.flatMap((column) => [...column.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  return new Set([...columns.map((column) => column.replace(/ \(.*\)/, '').toLowerCase()), ...inCode]);
};

/** Calls `breach` for every term that the glossary lacks, and for every name that it explains and the code no longer declares. */
export const checkGlossary = (sources, glossary, breach) => {
  const explained = explainedIn(glossary);
  for (const [name, files] of widelyUsedTypes(sources))
    if (!explained.has(name) && !explained.has(plainWords(name)))
      breach('docs/glossary.md', `${name} is used in ${files} files and not explained`);
  const declared = new Set([...sources.values()].flatMap((text) => [...text.matchAll(TYPE)].map(([, name]) => name)));
  for (const [, name] of [...glossary.matchAll(/^\| (.+?) \|/gm)].flatMap(([, column]) => [
    ...column.matchAll(/`([A-Z]\w+)`/g),
  ]))
    if (!declared.has(name)) breach('docs/glossary.md', `${name} is explained, and no source declares it`);
};
