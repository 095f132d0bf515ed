import { expect } from 'chai';
import fc from 'fast-check';
import { BrokenReport } from '../../../../src/screens/test-runs/report/broken-report.js';
import { parseXml } from '../../../../src/screens/test-runs/report/parse-xml.js';
import type { XmlElement } from '../../../../src/screens/test-runs/report/xml-element.js';

const outline = ({ localName, children }: XmlElement): string =>
  `${localName}${[...children].length === 0 ? '' : `(${[...children].map(outline).join(' ')})`}`;

const faultOf = (text: string): string => {
  try {
    parseXml(text);
  } catch (error) {
    if (error instanceof BrokenReport) return `${error.line}: ${error.what}`;
    throw error;
  }
  return 'none';
};

describe('reading XML', () => {
  for (const [what, text, tree] of [
    ['elements in elements', '<a><b/><c><d></d></c></a>', 'a(b c(d))'],
    ['what surrounds the root', '<?xml version="1.0"?>\n<!DOCTYPE a>\n<!-- <b> -->\n<a/>\n<!-- end -->\n', 'a'],
    ['no element of CDATA and comments', '<a><![CDATA[<b></a>]]><!-- <c/> --></a>', 'a'],
    ['prefixes as prefixes', '<x:a xmlns:x="u"><x:b/></x:a>', 'a(b)'],
    ['attributes that hold brackets', `<a message="1 > 0 </a>"><b c='"'/></a>`, 'a(b)'],
    ['characters that XML forbids', '<a>\u001b[31m&nothing;</a>', 'a'],
  ] as const)
    it(`takes ${what}`, () => {
      expect(outline(parseXml(text))).to.equal(tree);
    });

  it('knows attributes by their whole names', () => {
    const root = parseXml(`<a classname="c" name = 'n' x:name="other"/>`);
    expect(['name', 'classname', 'lass', 'c'].map((name) => root.getAttribute(name))).to.deep.equal([
      'n',
      'c',
      null,
      null,
    ]);
  });

  for (const [what, text, fault] of [
    ['a file that was cut between tags', '<a>\n<b>\n<c/>\n', '4: is cut short: <b> does not end'],
    ['one that was cut within a tag', '<a>\n<b name="x', '2: is cut short: it ends in the middle'],
    ['one that was cut within output', '<a>\n<![CDATA[b\n</a>', '2: is cut short: it ends in the middle'],
    ['tags that do not match', '<a>\n</b>', '2: is not well-formed: </b> ends what did not begin'],
    ['two roots', '<a/>\n<b/>', '2: is not well-formed: <b> stands behind its end'],
    ['text outside', '<a/>\nlog line', '1: is not well-formed: text stands outside of any element'],
    ['an attribute without quotes', '<a>\n<b c=d/></a>', '2: is not well-formed: a tag is not as it should be'],
    [
      'entities of its own',
      '<!DOCTYPE a [<!ENTITY b "c">]>\n<a>&b;</a>',
      '1: declares entities of its own, which are not expanded',
    ],
    ['nothing but a comment', '<!-- a -->', '1: is no XML: it holds no element'],
    ['what is nested without end', '<a>'.repeat(1001), '1: is nested more than 1000 elements deep'],
  ] as const)
    it(`refuses ${what}, and says where`, () => {
      expect(faultOf(text)).to.equal(fault);
    });

  it('comes back from any text, with a tree or a fault', () => {
    const piece = fc.constantFrom(
      '<a>',
      '</a>',
      '<b ',
      'c="',
      '"',
      "'",
      '/>',
      '>',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '&',
      '\n',
      'x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        expect(faultOf(pieces.join(''))).to.be.a('string');
      }),
      { numRuns: 2_000 },
    );
  });
});
