/** Reads imports and declarations from the text of a source; relies on the layout that the formatter gives them. */

const IMPORT =
  /^import (?:type )?(?:[\w$]+,? )?(?:\* as [\w$]+ )?(?:\{[^}]*\} )?(?:from )?'[^']+'(?: with \{[^}]*\})?;\n/gm;
const DECLARED =
  /^(export )?(?:abstract |async |declare )*(?:const|let|function\*?|class|interface|type|enum) ([\w$]+)/gm;

export const withoutImports = (text) => text.replace(IMPORT, '');

/** Names declared at the top, each with whether it is exported. */
export const declaredIn = (text) =>
  new Map([...withoutImports(text).matchAll(DECLARED)].map(([, exported, name]) => [name, exported !== undefined]));
