import { readReport } from '../src/read-report.js';

// Counts a report of so many tests that is made up as it is read, and says what came of it: FORMAT CASES.

const [format = '', cases = '0'] = process.argv.slice(2);
const count = Number(cases);

/** The text of each test; every hundredth fails. */
const WRITERS: Readonly<Record<string, readonly [string, (at: number, failed: boolean) => string, string]>> = {
  junit: [
    '<testsuites><testsuite name="all">',
    (at, failed) =>
      `<testcase classname="com.example.Suite${at % 500}" name="test number ${at}" time="0.01">${failed ? '<failure message="no">expected 1</failure>' : ''}<system-out><![CDATA[said ${at}]]></system-out></testcase>\n`,
    '</testsuite></testsuites>',
  ],
  // Every test at its second try: all that the counting has to remember.
  retried: [
    '<testsuites><testsuite name="all">',
    (at, failed) =>
      `<testcase classname="c" name="test ${at}"><failure/></testcase><testcase classname="c" name="test ${at}">${failed ? '<failure/>' : ''}</testcase>\n`,
    '</testsuite></testsuites>',
  ],
  jest: [
    '{"testResults":[{"status":"failed","assertionResults":[',
    (at, failed) =>
      `${at === 0 ? '' : ','}\n{"ancestorTitles":["suite ${at % 500}"],"fullName":"suite test number ${at}","status":"${failed ? 'failed' : 'passed'}","failureMessages":[${failed ? '"expected 1"' : ''}]}`,
    ']}]}',
  ],
  playwright: [
    '{"config":{},"suites":[{"title":"all","specs":[',
    (at, failed) =>
      `${at === 0 ? '' : ','}\n{"title":"test ${at}","tests":[{"results":[{"status":"${failed ? 'failed' : 'passed'}","retry":0}],"status":"${failed ? 'unexpected' : 'expected'}"}]}`,
    ']}],"errors":[]}',
  ],
  tap: [
    'TAP version 14\n',
    (at, failed) => `${failed ? 'not ok' : 'ok'} ${at + 1} - test number ${at}\n`,
    `1..${count}\n`,
  ],
};

async function* pieces(): AsyncGenerator<Uint8Array> {
  const [head, test, foot] = WRITERS[format] ?? ['', () => '', ''];
  let text = head;
  for (let at = 0; at < count; at++) {
    text += test(at, at % 100 === 0);
    if (text.length < 65_536) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text + foot);
}

const { total, passed, failed } = await readReport(pieces(), 'auto');
// Kilobytes on every system Node knows.
process.stdout.write(
  JSON.stringify({ total, passed, failed, peakMb: Math.round(process.resourceUsage().maxRSS / 1024) }),
);
