import type { SaxesParser } from 'saxes';

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them, and tools print them nevertheless
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;
const OPENERS = ['<![CDATA[', '<!--'] as const;
const CLOSERS = { '<![CDATA[': ']]>', '<!--': '-->' } as const;
const IN_TAG = /["'>]/g;

/** What the stream is in: text, a tag, an instruction, a value in a tag (by its quotation mark), or what is taken out (by its opener). */
type Place = 'text' | 'tag' | 'instruction' | '"' | "'" | keyof typeof CLOSERS;

const linesIn = (text: string): string => '\n'.repeat(text.split('\n').length - 1);

const endOf = (text: string, mark: string, from: number): number => {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
};

/**
 * Takes CDATA sections and comments out of a stream of XML, keeping its line breaks: the output of tests, of any length, which
 * would otherwise be gathered before it is thrown away. An opener within a tag, such as `<!--` in a name, which XML
 * forbids, is left: taking it out would remove tests, too. Forbidden control characters become U+FFFD.
 */
export const withoutCharacterData = (): { readonly pass: (piece: string) => string; readonly rest: () => string } => {
  let kept = '';
  let place: Place = 'text';

  /** Removes a stretch of a section or comment. Returns its line breaks, which are passed on, and where it ends. */
  const takeOut = (text: string, from: number, closer: string): readonly [string, number] => {
    const at = text.indexOf(closer, from);
    if (at >= 0) {
      place = 'text';
      return [linesIn(text.slice(from, at)), at + closer.length];
    }
    // The closer may be cut in two by the end of the piece.
    const end = Math.max(from, text.length - closer.length + 1);
    kept = text.slice(end);
    return [linesIn(text.slice(from, end)), text.length];
  };

  /** Where an instruction ends: quotation marks in it are text, and open no value. */
  const endOfInstruction = (text: string, from: number): number => {
    const at = text.indexOf('?>', from);
    if (at >= 0) {
      place = 'text';
      return at + 2;
    }
    // Its end may be cut in two by the end of the piece.
    if (text.endsWith('?')) kept = '?';
    return text.length - kept.length;
  };

  /** Where a stretch that is passed on unchanged ends. */
  const goOn = (text: string, from: number): number => {
    if (place === 'instruction') return endOfInstruction(text, from);
    if (place === '"' || place === "'") {
      const end = endOf(text, place, from);
      if (text[end - 1] === place) place = 'tag';
      return end;
    }
    IN_TAG.lastIndex = from;
    const mark = IN_TAG.exec(text)?.[0];
    if (mark === undefined) return text.length;
    place = mark === '>' ? 'text' : mark === '"' ? '"' : "'";
    return IN_TAG.lastIndex;
  };

  /**
   * The place where text ends: at a tag, at a part that is taken out, or at the end of the piece where the opener of such a
   * part is cut in two.
   */
  const endOfText = (text: string, from: number): number => {
    const at = text.indexOf('<', from);
    if (at < 0) return text.length;
    const opener = OPENERS.find((one) => text.startsWith(one, at));
    const isCut = OPENERS.some((one) => one.length > text.length - at && one.startsWith(text.slice(at)));
    if (isCut) kept = text.slice(at);
    else place = opener ?? (text.startsWith('<?', at) ? 'instruction' : 'tag');
    return at;
  };

  /** The opener of the section that is being removed; undefined outside of one. */
  const opener = (): keyof typeof CLOSERS | undefined => OPENERS.find((one) => one === place);

  return {
    pass: (piece) => {
      const text = kept + piece;
      kept = '';
      let passed = '';
      let at = 0;
      while (at < text.length - kept.length) {
        const from = at;
        const inside = opener();
        if (inside !== undefined) {
          const [lines, end] = takeOut(text, from, CLOSERS[inside]);
          passed += lines;
          at = end;
        } else {
          at = place === 'text' ? endOfText(text, from) : goOn(text, from);
          passed += text.slice(from, at);
          at += opener()?.length ?? 0;
        }
      }
      return passed.replace(FORBIDDEN, '\u{fffd}');
    },
    // An opener that was never closed is given to the parser, which then reports the fault.
    rest: () => linesIn(opener() === undefined ? '' : kept) + (opener() ?? kept),
  };
};

/** Most attributes of an element; the parser keeps them all until the tag ends. */
const MOST_ATTRIBUTES = 1000;

/** Refuses a document that declares entities, and an element with more than 1,000 attributes, with what `refuse` throws. */
export const refuseExcess = (parser: SaxesParser, refuse: (what: string) => never): void => {
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) refuse('declares entities of its own, which are not expanded');
  });
  let attributes = 0;
  parser.on('opentagstart', () => {
    attributes = 0;
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > MOST_ATTRIBUTES) refuse(`has an element with more than ${MOST_ATTRIBUTES} attributes`);
  });
};
