import { expect } from 'chai';
import { faultOf, figures, read } from './reading.js';

const suite = (...cases: readonly string[]) => `<testsuite name="s">\n${cases.join('\n')}\n</testsuite>`;
const passed = (name: string) => `<testcase classname="c" name="${name}"/>`;
const failed = (name: string) => `<testcase classname="c" name="${name}"><failure message="no"/></testcase>`;
const errored = (name: string) => `<testcase classname="c" name="${name}"><error/></testcase>`;

describe('JunitReader', () => {
  for (const [what, report, counts] of [
    [
      'passed, failed, errored and skipped',
      suite(passed('a'), failed('b'), errored('c'), '<testcase name="d"><skipped/></testcase>'),
      [1, 1, 1, 1],
    ],
    [
      'elements, regardless of the numbers in the head',
      `<testsuites tests="99" failures="7"><testsuite tests="50" skipped="4">${passed('a')}${failed('b')}</testsuite></testsuites>`,
      [1, 1, 0, 0],
    ],
    [
      'names with blanks around them as names of their own',
      suite(failed(' a'), passed('a'), passed('a '), failed('b&#10;'), passed('b')),
      [3, 2, 0, 0],
    ],
    [
      'suites in suites',
      `<testsuites><testsuite><testsuite>${passed('a')}</testsuite>${failed('b')}</testsuite></testsuites>`,
      [1, 1, 0, 0],
    ],
    [
      'a suite that is itself in error',
      '<testsuites><testsuite><error message="cannot load"/></testsuite></testsuites>',
      [0, 0, 1, 0],
    ],
    [
      'a suite without tests whose head says that it failed',
      '<testsuites><testsuite name="x" errors="1" tests="0"/></testsuites>',
      [0, 0, 1, 0],
    ],
    [
      'a suite without tests that says nothing',
      `<testsuites><testsuite tests="3"/>${suite(passed('a'))}</testsuites>`,
      [1, 0, 0, 0],
    ],
    [
      'no test inside of output',
      suite(
        '<testcase name="a"><system-out>x<testcase name="b"/></system-out></testcase><system-err><testcase/></system-err>',
      ),
      [1, 0, 0, 0],
    ],
    [
      "surefire's test that passed at last",
      suite('<testcase name="a"><flakyFailure/><flakyError/></testcase>'),
      [1, 0, 0, 0],
    ],
    [
      "surefire's test that failed every time",
      suite('<testcase name="a"><failure/><rerunFailure/><rerunFailure/></testcase>'),
      [0, 1, 0, 0],
    ],
    [
      "gtest's disabled and skipped tests",
      suite(
        '<testcase name="a" status="run" result="completed"/>',
        '<testcase name="DISABLED_b" status="notrun" result="suppressed"/>',
        '<testcase name="c" status="run" result="skipped"><skipped/></testcase>',
      ),
      [1, 0, 0, 2],
    ],
    [
      'a test that fails by its attribute only',
      suite('<testcase name="a" status="failed"/>', '<testcase name="b" result="error"/>'),
      [0, 1, 1, 0],
    ],
    [
      'a failure that is to be mended later as skipped',
      suite('<testcase name="a"><skipped type="todo"/><failure/></testcase>'),
      [0, 0, 0, 1],
    ],
    ['nothing where nothing is', '<testsuites/>', [0, 0, 0, 0]],
  ] as const)
    it(`counts ${what}`, async () => {
      expect(figures(await read(report))).to.deep.equal(counts);
    });

  for (const [what, cases, counts] of [
    ['a retry that passed', [failed('a'), failed('a'), passed('a')], [1, 0, 0, 0]],
    ['a retry with another test in between', [failed('a'), passed('b'), passed('a')], [2, 0, 0, 0]],
    ['a retry that never passed', [failed('a'), failed('a')], [0, 1, 0, 0]],
    ['a retry by its last attempt', [failed('a'), errored('a')], [0, 0, 1, 0]],
    ['tests of one name that passed and failed', [passed('a'), failed('a')], [1, 1, 0, 0]],
    ['a name that passed and comes again as several tests', [failed('a'), passed('a'), passed('a')], [2, 1, 0, 0]],
    [
      'what is skipped as no attempt',
      [failed('a'), '<testcase classname="c" name="a"><skipped/></testcase>'],
      [0, 1, 0, 1],
    ],
    [
      'tests on other lines as others',
      ['<testcase name="a" line="1"><failure/></testcase>', '<testcase name="a" line="2"/>'],
      [1, 1, 0, 0],
    ],
  ] as const)
    it(`counts ${what}`, async () => {
      expect(figures(await read(suite(...cases)))).to.deep.equal(counts);
    });

  it('takes no test of another suite for an attempt', async () => {
    const report = `<testsuites>${suite(failed('a'))}${suite(passed('a'))}</testsuites>`;
    expect(figures(await read(report))).to.deep.equal([1, 1, 0, 0]);
  });

  for (const report of [
    `<testsuite name="Mocha Tests">${failed('a')}${passed('a')}</testsuite>`,
    `<testsuites name="jest tests">${suite(failed('a'), passed('a'))}</testsuites>`,
    `<testsuites name="vitest tests">${suite(failed('a'), passed('a'))}</testsuites>`,
    '<testsuites><testcase classname="test" name="a"><failure/></testcase><testcase classname="test" name="a"/></testsuites>',
  ])
    it(`takes nothing for an attempt where the tool writes none: ${report.slice(0, 40)}`, async () => {
      expect(figures(await read(report))).to.deep.equal([1, 1, 0, 0]);
    });

  it("sums the suites' lengths unless the root says its own, and knows the last end", async () => {
    const suites =
      '<testsuite time="1,001.5" timestamp="2026-11-20T09:30:00Z"/><testsuite time="2" timestamp="2026-11-20T09:00:00+00:00"/>';
    expect(await read(`<testsuites>${suites}</testsuites>`)).to.include({
      durationSeconds: 1003.5,
      ranAt: Date.UTC(2026, 10, 20, 9, 46, 41, 500),
    });
    expect(await read(`<testsuites time="7">${suites}</testsuites>`)).to.include({ durationSeconds: 7 });
    expect(
      await read('<testsuites time="-1"><testsuite timestamp="2026-11-20T09:30:00"/></testsuites>'),
    ).to.have.all.keys('format', 'total', 'passed', 'failed', 'errored', 'skipped', 'doubts');
  });

  for (const [what, report, fault] of [
    [
      'a report that was cut short',
      '<testsuites>\n<testsuite>\n<testcase name="a"/>\n',
      '4: is cut short: <testsuite> does not end',
    ],
    [
      'one that was cut within output',
      '<testsuite>\n<testcase><system-out><![CDATA[a\nb',
      '3: is cut short: <system-out> does not end',
    ],
    ['one that was cut within a tag', '<testsuite><testcase name="a', '1: is cut short: <testsuite> does not end'],
    ['tags that do not match', '<testsuite>\n</testcase>', '2: is not well-formed: unexpected close tag'],
    [
      'another kind of XML',
      '<html><body/></html>',
      '1: begins with <html>; JUnit begins with <testsuites> or <testsuite>',
    ],
    ['text behind the end', '<testsuite/>\n more', '2: is not well-formed: text data outside of root node'],
    [
      'a declared encoding that is not read',
      '<?xml version="1.0" encoding="ISO-8859-1"?><testsuite/>',
      '1: is encoded in ISO-8859-1; write it in UTF-8 or UTF-16',
    ],
    [
      'an entity that is not declared',
      '<testsuite><testcase name="&who;"/></testsuite>',
      '1: is not well-formed: undefined entity',
    ],
  ] as const)
    it(`names file and line of ${what}`, async () => {
      for (const size of [1, 7, 1000]) expect(await faultOf(report, 'junit', size)).to.equal(fault);
    });

  it('expands no entity, however many laughs it promises', async () => {
    const laughs = Array.from({ length: 30 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('\n');
    const report = `<?xml version="1.0"?>\n<!DOCTYPE testsuite [<!ENTITY l0 "ha">\n${laughs}]>\n<testsuite><testcase name="&l30;"/></testsuite>`;
    const before = process.memoryUsage().rss;
    expect(await faultOf(report)).to.match(/declares entities of its own, which are not expanded$/);
    expect(process.memoryUsage().rss - before).to.be.below(50e6);
  });

  it('reads no file that an entity names', async () => {
    const report =
      '<!DOCTYPE testsuite [<!ENTITY f SYSTEM "file:///etc/passwd">]><testsuite><testcase name="&f;"/></testsuite>';
    expect(await faultOf(report)).to.contain('not expanded');
    expect(
      figures(await read('<!DOCTYPE testsuite SYSTEM "junit.dtd"><testsuite><testcase/></testsuite>')),
    ).to.deep.equal([1, 0, 0, 0]);
  });

  it('bears characters that XML forbids and tools print', async () => {
    const report =
      '<testsuite><testcase name="\u001b[31m&#27;"><failure>\u0000\u001b[0m &#x1b;</failure></testcase></testsuite>';
    expect(figures(await read(report))).to.deep.equal([0, 1, 0, 0]);
  });

  it('refuses what is nested without end', async () => {
    expect(await faultOf('<testsuite>'.repeat(5000), 'junit', 4096)).to.contain('nested more than 1000 elements deep');
    const attributes = Array.from({ length: 1001 }, (_, at) => `a${at}="1"`).join(' ');
    const wide = `<testsuite tests="1"><testcase name="a" ${attributes}/></testsuite>`;
    expect(await faultOf(wide, 'junit', 4096)).to.contain('more than 1000 attributes');
  });
});
