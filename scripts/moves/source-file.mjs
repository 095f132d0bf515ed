/** A file of this repository as its imports and the rest, read by the shapes in which the formatter writes them. */

const IMPORT =
  /^import (?:(type) )?(?:([\w$]+)(?:,? ))?(?:\* as ([\w$]+) )?(?:\{([^}]*)\} )?(?:from )?'([^']+)'( with \{[^}]*\})?;\n/gm;
const DECLARED =
  /^(export )?(?:abstract |async |declare )*(?:const|let|function\*?|class|interface|type|enum) ([\w$]+)/gm;

/** The names between braces: what they are called there and here, and whether they are types. */
const namesIn = (braces = '', isType = false) =>
  braces
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [name, as = name] = part.replace(/^type /, '').split(' as ');
      return { name, as, isType: isType || part.startsWith('type ') };
    });

export const importsOf = (text) =>
  [...text.matchAll(IMPORT)].map(([, type, whole, space, braces, from, attributes = '']) => ({
    from,
    attributes,
    whole: whole === undefined || whole === 'type' ? undefined : { as: whole, isType: type !== undefined },
    space: space === undefined ? undefined : { as: space, isType: type !== undefined },
    names: namesIn(braces, type !== undefined),
  }));

export const withoutImports = (text) => text.replace(IMPORT, '');

/** Names declared at the top, each with whether it is exported. */
export const declaredIn = (text) =>
  new Map([...withoutImports(text).matchAll(DECLARED)].map(([, exported, name]) => [name, exported !== undefined]));
