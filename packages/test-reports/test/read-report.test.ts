import { expect } from 'chai';
import { faultOf, figures, read } from './reading.js';

const XML = '<?xml version="1.0"?>\n<testsuite name="größe 世界"><testcase name="a"/></testsuite>\n';
const JSON_REPORT =
  '{"testResults": [{"status": "passed", "assertionResults": [{"status": "passed", "title": "größe"}]}]}';

const utf16 = (text: string, isBig: boolean): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};

describe('readReport', () => {
  for (const [what, text] of [
    ['XML', XML],
    ['JSON', JSON_REPORT],
    ['TAP', 'TAP version 13\n1..1\nok 1 - größe\n'],
  ] as const)
    it(`reads ${what} in UTF-8 and UTF-16, marked and not, in whatever pieces`, async () => {
      for (const bytes of [
        Buffer.from(text),
        Buffer.from(`\ufeff${text}`),
        Buffer.from(`\n  ${text}`),
        utf16(`\ufeff${text}`, false),
        utf16(`\ufeff${text}`, true),
        utf16(text, false),
        utf16(text, true),
      ])
        for (const size of [1, 2, 3, 1000])
          expect(figures(await read(bytes, 'auto', size))).to.deep.equal([1, 0, 0, 0]);
    });

  it('reads a report that declares UTF-16 and is in it', async () => {
    const declared = XML.replace('?>', ' encoding="UTF-16"?>');
    expect(figures(await read(utf16(`\ufeff${declared}`, true)))).to.deep.equal([1, 0, 0, 0]);
  });

  it('names an encoding it does not read', async () => {
    expect(await faultOf(Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0]))).to.contain('UTF-32');
    expect(await faultOf('<?xml version="1.0" encoding="windows-1252"?><testsuite/>')).to.contain('windows-1252');
  });

  it('bears bytes that are no text', async () => {
    const bytes = Buffer.concat([
      Buffer.from('<testsuite><testcase name="'),
      Buffer.from([0xc3, 0x28, 0xff]),
      Buffer.from('"/></testsuite>'),
    ]);
    expect(figures(await read(bytes))).to.deep.equal([1, 0, 0, 0]);
  });

  it('calls nothing at all broken', async () => {
    for (const nothing of ['', ' \n\t', '\ufeff'])
      expect(await faultOf(nothing)).to.equal('-: is empty: what was to write it did not');
  });

  it('recognises reports that are shorter than a beginning', async () => {
    expect(figures(await read('1..1\nok 1'))).to.deep.equal([1, 0, 0, 0]);
    expect(figures(await read('<testsuite/>'))).to.deep.equal([0, 0, 0, 0]);
    expect(await faultOf('{}')).to.contain('is no ctrf, mocha, jest, playwright report');
  });

  it('says what it does not know', async () => {
    expect(await faultOf('PASS src/a.test.js\nTests: 1 passed')).to.match(/^1: is no report that is known/);
    expect(await faultOf('%PDF')).to.match(/^1: is no report that is known/);
  });
});
