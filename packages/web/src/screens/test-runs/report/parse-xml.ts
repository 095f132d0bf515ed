import { BrokenReport } from './broken-report.js';
import type { XmlElement } from './xml-element.js';

/** Comment, CDATA, instruction, document type; or a tag: its slash, name, attributes, and the slash that ends it at once. */
const PIECE =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE[^>[]*(\[)?[^>]*>|<(\/?)([^\s<>/=!?"']+)((?:\s+[^\s<>/="']+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/y;
const ATTRIBUTE = /([^\s<>/="']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const DEEPEST = 1000;

const attributeOf = (attributes: string, wanted: string): string | null => {
  for (const [, name, double, single] of attributes.matchAll(ATTRIBUTE))
    if (name === wanted) return double ?? single ?? null;
  return null;
};

interface Open extends XmlElement {
  /** With its prefix. */
  readonly name: string;
  readonly children: XmlElement[];
}

const opened = (name: string, attributes: string): Open => ({
  name,
  localName: name.slice(name.indexOf(':') + 1),
  children: [],
  // Entities in it stay as they are: what is compared is compared as it was written.
  getAttribute: (wanted) => attributeOf(attributes, wanted),
});

/** Whether what begins there never ends. */
const isCut = (text: string, at: number): boolean => {
  const end = text.startsWith('<!--', at) ? '-->' : text.startsWith('<![CDATA[', at) ? ']]>' : '>';
  return !text.includes(end, at);
};

/**
 * Reads XML as a tree of elements; text is left out. Nothing but the text is read, no entity is expanded, and characters that
 * XML forbids, as tools print them into messages, do no harm. A browser's own reader breaches the content policy when it finds a
 * fault. Throws BrokenReport.
 */
export const parseXml = (text: string): XmlElement => {
  const open: Open[] = [];
  let root: Open | undefined;
  let at = 0;
  const broken = (what: string) => new BrokenReport(what, text.slice(0, at).split('\n').length);
  for (;;) {
    const next = text.indexOf('<', at);
    const between = text.slice(at, next === -1 ? text.length : next);
    if (open.length === 0 && /\S/.test(between)) throw broken('is not well-formed: text stands outside of any element');
    at = next === -1 ? text.length : next;
    if (next === -1) break;
    PIECE.lastIndex = at;
    const piece = PIECE.exec(text);
    if (piece === null && isCut(text, at)) throw broken('is cut short: it ends in the middle');
    if (piece === null) throw broken('is not well-formed: a tag is not as it should be');
    const [all, declarations, closes, name, attributes = '', isWhole] = piece;
    if (declarations !== undefined) throw broken('declares entities of its own, which are not expanded');
    if (name !== undefined && closes === '/') {
      if (open.pop()?.name !== name) throw broken(`is not well-formed: </${name}> ends what did not begin`);
    } else if (name !== undefined) {
      if (open.length === 0 && root !== undefined) throw broken(`is not well-formed: <${name}> stands behind its end`);
      if (open.length === DEEPEST) throw broken(`is nested more than ${DEEPEST} elements deep`);
      const element = opened(name, attributes);
      open.at(-1)?.children.push(element);
      root ??= element;
      if (isWhole !== '/') open.push(element);
    }
    at += all.length;
  }
  const last = open.at(-1);
  if (last !== undefined) throw broken(`is cut short: <${last.name}> does not end`);
  if (root === undefined) throw broken('is no XML: it holds no element');
  return root;
};
