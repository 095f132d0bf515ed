import { BrokenReport } from './broken-report.js';
import type { XmlElement } from './xml-element.js';

/** Declarations of its own, which entities could be among. */
const OWN_DECLARATIONS = /<!DOCTYPE[^>[]*\[|<!ENTITY/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them, and tools print them nevertheless
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
/** The same, by their numbers. */
const FORBIDDEN_REFERENCE = /&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|x0*(?:[0-8bcef]|1[\da-f]));/gi;
const STAND_IN = '\u{fffd}';

const prologOf = (text: string): string => {
  const end = text.search(/<testsuites?\b/);
  return end === -1 ? text : text.slice(0, end);
};

/** The sentence of the browser's own fault, in which every browser names the line, each in its own way. */
const faultIn = (document: Document): BrokenReport | undefined => {
  const said = document.getElementsByTagName('parsererror')[0]?.textContent;
  if (said == null) return undefined;
  const line = /line(?: number)? (\d+)/i.exec(said)?.[1];
  const isCut = /premature end|no root element|no element found|unclosed|end of (?:the )?document/i.test(said);
  return new BrokenReport(
    isCut ? 'is cut short: an element does not end' : 'is not well-formed XML',
    line === undefined ? undefined : Number(line),
  );
};

/** Reads XML. Nothing outside of the text is read, and no entity of its own is expanded. Throws BrokenReport. */
export const parseXml = (text: string): XmlElement => {
  if (OWN_DECLARATIONS.test(prologOf(text)))
    throw new BrokenReport('declares entities of its own, which are not expanded');
  const readable = text.replace(FORBIDDEN, STAND_IN).replace(FORBIDDEN_REFERENCE, STAND_IN);
  const document = new DOMParser().parseFromString(readable, 'application/xml');
  const fault = faultIn(document);
  if (fault !== undefined) throw fault;
  return document.documentElement;
};
