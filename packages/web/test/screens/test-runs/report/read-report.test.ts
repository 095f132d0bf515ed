import { expect } from 'chai';
import { BrokenReport } from '../../../../src/screens/test-runs/report/broken-report.js';
import { readReport } from '../../../../src/screens/test-runs/report/read-report.js';

const read = (...parts: ConstructorParameters<typeof Blob>[0] & object) => readReport(new Blob([...parts]));
const faultOf = async (text: string): Promise<string> => {
  try {
    await read(text);
  } catch (error) {
    if (error instanceof BrokenReport) return error.message;
    throw error;
  }
  return 'none';
};
const JUNIT = '<testsuite><testcase name="a"/><testcase name="b"><failure/></testcase></testsuite>';

describe('reading a report', () => {
  it('tells JUnit from CTRF by how it begins', async () => {
    expect(await read(JUNIT)).to.deep.include({ passed: 1, failed: 1 });
    expect(await read('\n  {"results": {"tests": [{"status": "passed"}]}}')).to.deep.include({ passed: 1, total: 1 });
  });

  it('takes marks of encodings, and blanks before the declaration', async () => {
    const utf16 = new Uint8Array(Buffer.from(`\u{feff}${JUNIT}`, 'utf16le'));
    expect(await read(utf16)).to.deep.include({ total: 2 });
    expect(await read(`\u{feff}\n<?xml version="1.0"?>${JUNIT}`)).to.deep.include({ total: 2 });
  });

  for (const [text, fault] of [
    ['  \n', 'is empty: what was to write it did not'],
    ['TAP version 14', 'is neither JUnit XML nor CTRF JSON (line 1)'],
    ['\n\n<testsuite>\n</x>', 'is not well-formed: </x> ends what did not begin (line 4)'],
    ['<html/>', 'begins with <html>; JUnit begins with <testsuites> or <testsuite>'],
    ['[]', 'is JSON, but no CTRF report: the list results.tests is missing'],
  ] as const)
    it(`refuses ${JSON.stringify(text)}`, async () => {
      expect(await faultOf(text)).to.equal(fault);
    });

  it('counts 200,000 tests within seconds of work', async () => {
    const tests = Array.from(
      { length: 200_000 },
      (_, index) => `<testcase classname="c" name="t${index}" time="0.1"/>\n`,
    );
    const before = process.cpuUsage();
    expect(await read(`<testsuite>${tests.join('')}</testsuite>`)).to.deep.include({ total: 200_000, passed: 200_000 });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000_000).to.be.below(5);
  });
});
