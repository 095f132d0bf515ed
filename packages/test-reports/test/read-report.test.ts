import { expect } from 'chai';
import type { ReportFormat } from '../src/tally.js';
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
    it(`reads ${what} in UTF-8 and UTF-16, marked and not, in any pieces`, async () => {
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

const counts = async (value: unknown, format: ReportFormat | 'auto' = 'auto') =>
  figures(await read(JSON.stringify(value, null, 1), format));

const jest = (more: object, ...files: readonly object[]) => ({ ...more, testResults: files });
const jestFile = (status: string, ...statuses: readonly string[]) => ({
  status,
  assertionResults: statuses.map((one) => ({ status: one, title: 'passed' })),
});
const playwrightTest = (status: string, ...attempts: readonly string[]) => ({
  status,
  expectedStatus: 'passed',
  results: attempts.map((one, retry) => ({ status: one, retry })),
});
const ctrf = (...statuses: readonly string[]) => ({
  results: {
    tool: { name: 'x' },
    summary: { tests: statuses.length, start: 1_790_000_000_000, stop: 1_790_000_002_500 },
    tests: statuses.map((status) => ({ status, retryAttempts: [{ status: 'failed' }] })),
  },
});

describe('JsonReader', () => {
  it("counts jest's tests by their last attempt", async () => {
    const one = { status: 'passed', assertionResults: [{ status: 'passed', invocations: 3 }, { status: 'todo' }] };
    expect(
      await counts(jest({ numTotalTests: 70 }, one, jestFile('failed', 'passed', 'failed', 'pending', 'disabled'))),
    ).to.deep.equal([2, 1, 0, 3]);
  });

  it('counts a file that failed without a failed test as one error', async () => {
    expect(await counts(jest({}, jestFile('failed'), jestFile('passed', 'passed')))).to.deep.equal([1, 0, 1, 0]);
    expect(await counts(jest({}, jestFile('failed', 'passed')))).to.deep.equal([1, 0, 1, 0]);
  });

  it('does not call a run clean that says that it was not', async () => {
    expect(await counts(jest({ success: false }, jestFile('passed', 'passed')))).to.deep.equal([1, 0, 1, 0]);
    expect(await counts(jest({ wasInterrupted: true }, jestFile('passed', 'passed')))).to.deep.equal([1, 0, 1, 0]);
    expect(await counts(jest({ success: false }, jestFile('failed', 'failed')))).to.deep.equal([0, 1, 0, 0]);
  });

  it('takes no run for empty that says that it failed', async () => {
    expect(await counts(jest({ success: false }))).to.deep.equal([0, 0, 1, 0]);
    expect(await counts(jest({ success: true }))).to.deep.equal([0, 0, 0, 0]);
  });

  it('counts an unknown status as an error', async () => {
    expect(await counts(jest({}, jestFile('passed', 'exploded')))).to.deep.equal([0, 0, 1, 0]);
    expect(await counts(ctrf('exploded'))).to.deep.equal([0, 0, 1, 0]);
  });

  it("counts playwright's tests in suites of any depth, once each", async () => {
    const specs = [
      { tests: [playwrightTest('expected', 'passed'), playwrightTest('flaky', 'failed', 'passed')] },
      { tests: [playwrightTest('unexpected', 'failed', 'failed')] },
    ];
    const report = {
      suites: [{ specs, suites: [{ suites: [{ specs: [{ tests: [playwrightTest('skipped', 'skipped'), {}] }] }] }] }],
      errors: [{ message: 'x' }],
    };
    expect(await counts(report)).to.deep.equal([2, 1, 2, 1]);
  });

  it("counts ctrf's tests, other as an error, attempts never", async () => {
    expect(await counts(ctrf('passed', 'failed', 'skipped', 'pending', 'other'))).to.deep.equal([1, 1, 1, 2]);
    expect(await read(JSON.stringify(ctrf('passed')))).to.include({ durationSeconds: 2.5, ranAt: 1_790_000_002_500 });
  });

  it("counts mocha's lists and not its list of all tests", async () => {
    const report = {
      stats: { tests: 4, end: '2026-11-20T09:30:00.000Z', duration: 1500 },
      tests: [{}, {}],
      pending: [{}],
      failures: [{}],
      passes: [{}, {}],
    };
    expect(await counts(report)).to.deep.equal([2, 1, 0, 1]);
    expect(await read(JSON.stringify(report))).to.include({
      format: 'mocha',
      durationSeconds: 1.5,
      ranAt: Date.UTC(2026, 10, 20, 9, 30),
    });
  });

  it('refuses a report of another format than the one that is named', async () => {
    expect(await faultOf(JSON.stringify(ctrf('passed')), 'jest')).to.equal(
      '-: is no jest report: the list testResults is missing',
    );
    expect(await faultOf('{"version": 3, "files": []}')).to.match(/^-: is no ctrf, mocha, jest, playwright report/);
    expect(await faultOf(JSON.stringify({ ...jest({}, jestFile('passed')), ...ctrf('passed') }))).to.contain(
      '--format says which',
    );
  });

  for (const [format, report] of [
    ['ctrf', '{"results": {"tests": [{"status": "failed", "status": "passed"}]}}'],
    ['jest', '{"testResults": [{"assertionResults": [{"status": "failed", "status": "passed"}]}]}'],
    ['playwright', '{"suites": [{"specs": [{"tests": [{"status": "unexpected", "status": "expected"}]}]}]}'],
    ['mocha', '{"stats": {"failures": 1, "failures": 0}, "failures": [], "passes": [{}]}'],
    ['ctrf', '{"results": {"summary": {"failed": 1, "f\\u0061iled": 0}, "tests": [{"status": "passed"}]}}'],
    ['ctrf', '{"results": {"tests": [{"status": "failed"}], "tests": [{"status": "passed"}]}}'],
    ['ctrf', '{"results": {"tests": [{"status": "passed", "extra": {"a": {}, "a": {}}}]}}'],
  ] as const)
    it(`refuses a ${format} report that names a member twice in one object: ${report.slice(0, 60)}`, async () => {
      for (const wanted of [format, 'auto'] as const)
        expect(await faultOf(report, wanted)).to.match(/^1: names the member "\w+" twice in one object$/);
    });

  it('takes the same name in several objects for what it is', async () => {
    const report =
      '{"results": {"tests": [{"status": "passed", "a": {"status": {}, "__proto__": 1}}, {"status": "passed"}]}}';
    expect(figures(await read(report))).to.deep.equal([2, 0, 0, 0]);
  });

  it('refuses an object of more members than it can remember', async () => {
    const members = Array.from({ length: 1_000_001 }, (_, at) => `"m${at}":0`).join(',');
    expect(await faultOf(`{${members}}`, 'ctrf', 65_536)).to.equal('1: has an object with more than 1000000 members');
  });

  it('refuses what is no object, and what was cut short', async () => {
    expect(await faultOf('[{"testResults": []}]')).to.equal('1: is a JSON list; a report is an object');
    expect(await faultOf('{"testResults": [\n{"status": "passed",')).to.equal('2: is cut short: the JSON does not end');
    expect(await faultOf('{"testResults": []}\n{"testResults": []}')).to.match(/^2: is not JSON/);
  });
});
