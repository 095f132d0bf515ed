const OPENERS = /<!\[CDATA\[|<!--/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them, and tools print them nevertheless
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

const linesIn = (text: string): string => '\n'.repeat(text.split('\n').length - 1);

/**
 * Takes CDATA sections and comments out of a stream of XML, keeping its line breaks: the output of tests, of any length, which
 * would otherwise be gathered before it is thrown away. Forbidden control characters become U+FFFD.
 */
export const withoutCharacterData = (): { readonly pass: (piece: string) => string; readonly rest: () => string } => {
  let kept = '';
  let closer: ']]>' | '-->' | undefined;

  const inside = (text: string, end: ']]>' | '-->'): readonly [string, string] => {
    const at = text.indexOf(end);
    if (at >= 0) {
      closer = undefined;
      return [linesIn(text.slice(0, at)), text.slice(at + end.length)];
    }
    kept = text.slice(-2);
    return [linesIn(text.slice(0, -2)), ''];
  };
  const outside = (text: string): readonly [string, string] => {
    OPENERS.lastIndex = 0;
    const found = OPENERS.exec(text);
    if (found !== null) {
      closer = found[0] === '<!--' ? '-->' : ']]>';
      return [text.slice(0, found.index), text.slice(OPENERS.lastIndex)];
    }
    // An opener may be cut in two by the end of the piece.
    const start = text.lastIndexOf('<');
    const cut = start >= 0 && '<![CDATA['.startsWith(text.slice(start)) ? start : undefined;
    const comment = start >= 0 && '<!--'.startsWith(text.slice(start)) ? start : undefined;
    const at = cut ?? comment ?? text.length;
    kept = text.slice(at);
    return [text.slice(0, at), ''];
  };
  return {
    pass: (piece) => {
      let left = kept + piece;
      kept = '';
      let passed = '';
      while (left !== '') {
        const [part, rest] = closer === undefined ? outside(left) : inside(left, closer);
        passed += part;
        left = rest;
      }
      return passed.replace(FORBIDDEN, '\u{fffd}');
    },
    // What was never closed is given back as it began, so that the parser finds fault with it.
    rest: () => (closer === undefined ? kept : linesIn(kept) + (closer === '-->' ? '<!--' : '<![CDATA[')),
  };
};
