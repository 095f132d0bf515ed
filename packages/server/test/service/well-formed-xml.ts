import { expect } from 'chai';

/** `Char` of XML 1.0. */
const CHARACTERS = /^[\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const REFERENCE = /&(?:amp|lt|gt|quot|apos|#\d+);/g;
const TAG = /^<(\/?)([a-z]+)((?: [A-Za-z:-]+="[^"<]*")*)(\/?)>/;

const expectReferencesOnly = (text: string): void => {
  expect(text.replace(REFERENCE, ''), text).not.to.contain('&').and.not.to.contain(']]>');
};

/** Fails unless the text is one element by XML 1.0, without comments, instructions and sections. */
export const expectWellFormed = (xml: string): void => {
  expect(CHARACTERS.test(xml), 'characters that XML has not').to.equal(true);
  const open: string[] = [];
  let rest = xml;
  do {
    const [tag = '', ends, name = '', attributes = '', empty] = TAG.exec(rest) ?? [];
    expect(tag, `no tag: ${rest.slice(0, 60)}`).not.to.equal('');
    const names = [...attributes.matchAll(/ ([A-Za-z:-]+)=/g)].map(([, each]) => each);
    expect(new Set(names).size, `an attribute twice: ${tag}`).to.equal(names.length);
    expectReferencesOnly(attributes);
    if (ends === '/') expect(open.pop()).to.equal(name);
    else if (empty !== '/') open.push(name);
    rest = rest.slice(tag.length);
    const text = /^[^<]*/.exec(rest)?.[0] ?? '';
    expectReferencesOnly(text);
    rest = rest.slice(text.length);
  } while (open.length > 0);
  expect(rest).to.equal('');
};
