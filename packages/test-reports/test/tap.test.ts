import { expect } from 'chai';
import { faultOf, figures, read } from './reading.js';

const tap = (...lines: readonly string[]) => lines.join('\n');

describe('TapReader', () => {
  for (const [what, report, counts] of [
    ['a plan before', tap('TAP version 13', '1..3', 'ok 1 - a', 'not ok 2 - b', 'ok 3'), [2, 1, 0, 0]],
    [
      'a plan after, and lines that are output',
      tap('TAP version 14', 'hello', 'ok 1', '# said', 'okay then', '1..1'),
      [1, 0, 0, 0],
    ],
    [
      'skip and todo, failed or not',
      tap('1..4', 'ok 1 a # SKIP no network', 'not ok 2 b # todo', 'ok 3 c # TODO later', 'ok 4 d # skipped'),
      [0, 0, 0, 4],
    ],
    ['no directive in an escaped sign', tap('1..2', 'ok 1 - issue \\# skip', 'not ok 2 - #todo7'), [1, 1, 0, 0]],
    [
      'names with what ends lines elsewhere',
      tap('1..4 # of\u2028all', 'ok 1 a\u2028b', 'not ok 2 a\u2029b', 'not ok 3 a\rok 4', 'ok 4 a\u2028b # SKIP'),
      [1, 2, 0, 1],
    ],
    ['a plan that was not kept as one error', tap('1..5', 'ok 1', 'ok 2'), [2, 0, 1, 0]],
    ['more than planned as one error', tap('1..1', 'ok 1', 'ok 2'), [2, 0, 1, 0]],
    ['a run that bailed out', tap('TAP version 13', 'ok 1', 'Bail out! no database'), [1, 0, 1, 0]],
    ['a plan of nothing', tap('TAP version 13', '1..0 # skip all of it'), [0, 0, 0, 0]],
    [
      'subtests instead of what sums them up',
      tap('TAP version 14', '# Subtest: s', '    ok 1 - a', '    not ok 2 - b', '    1..2', 'not ok 1 - s', '1..1'),
      [1, 1, 0, 0],
    ],
    [
      'subtests of subtests',
      tap('1..1', '    1..1', '        1..2', '        ok 1', '        ok 2', '    ok 1', 'ok 1'),
      [2, 0, 0, 0],
    ],
    [
      'a failed suite whose subtests passed',
      tap('1..1', '    ok 1 - a', '    1..1', 'not ok 1 - after hook'),
      [1, 0, 1, 0],
    ],
    [
      'a suite without tests as none, and as an error when it failed',
      tap('1..3', '    1..0', 'ok 1 - empty', '    1..0', 'not ok 2 - not loaded', 'ok 3'),
      [1, 0, 1, 0],
    ],
    [
      'failures of a suite that is to be mended as skipped',
      tap('1..1', '    ok 1', '    not ok 2', '    1..2', 'not ok 1 # TODO'),
      [1, 0, 0, 1],
    ],
    [
      'subtests in braces',
      tap('1..2', 'not ok 1 - s {', '    ok 1 - a', '    not ok 2 - b', '    1..2', '}', 'ok 2 - t'),
      [2, 1, 0, 0],
    ],
    ['a name that ends in a brace', tap('1..2', 'ok 1 - reads {', 'ok 2 - and }'), [2, 0, 0, 0]],
    [
      'nothing of a YAML block',
      tap('1..1', 'not ok 1', '  ---', '  stack: |', 'not ok 9', '    ok 8', '  ...'),
      [0, 1, 0, 0],
    ],
    [
      'nothing of output that is indented',
      tap('1..1', 'not ok 1', '  ok 2 is what it said', '            ok 3'),
      [0, 1, 0, 0],
    ],
    ['lines that end as on Windows', '1..2\r\nok 1\r\nnot ok 2 # SKIP\r\n', [1, 0, 0, 1]],
  ] as const)
    it(`counts ${what}`, async () => {
      for (const size of [1, 5, 4096]) expect(figures(await read(report, 'tap', size))).to.deep.equal(counts);
    });

  for (const footer of [
    '# fail 1',
    '# fail  1',
    '# fail: 1',
    '#fail 1',
    '# FAILED = 1',
    '# failures: 1',
    '# errors: 1',
    '# 1 failed',
    '# 1 of 3 tests failed',
    "#   Failed test 'c'",
    '\u001b[31m# fail 1\u001b[39m',
  ])
    it(`does not take a list without failures at its word that ends with ${JSON.stringify(footer)}`, async () => {
      const report = await read(tap('1..2', 'ok 1', 'ok 2', '# tests 3', footer), 'tap');
      expect(figures(report)).to.deep.equal([2, 0, 1, 0]);
      expect(report.doubts).to.deep.equal(['the report says 1 failure but lists none']);
    });

  for (const remark of [
    '# fail: 0',
    '# 0 failed',
    '# error 404 was handled',
    '# failover works',
    '# 3 tests, 0 failures',
  ])
    it(`takes no remark for a failure that is none: ${remark}`, async () => {
      expect((await read(tap('1..1', 'ok 1', remark), 'tap')).doubts).to.deep.equal([]);
    });

  it('refuses a stream that ends before its plan', async () => {
    const cut = tap('TAP version 13', 'ok 1', 'ok 2', '');
    expect(await faultOf(cut)).to.equal('3: has no plan (1..N): it was cut short');
  });

  it('takes nothing for a report that is none', async () => {
    expect(await faultOf('hello\nworld, a long line of it', 'tap')).to.equal('2: has no plan (1..N): it was cut short');
  });

  it('refuses a test point or plan that is too long to be kept whole, regardless of its text', async () => {
    const long = 'x'.repeat(100_000);
    const fault = '2: has a test point or plan of more than 65536 characters';
    for (const line of [`not ok 1 ${long} #${long} skip`, `ok 1 ${long}`, `not ok ${long}`, `1..1 #${long}`])
      for (const size of [4096, 1_000_000])
        expect(await faultOf(tap('1..1', line), 'tap', size), `${line.slice(0, 6)} by ${size}`).to.equal(fault);
    expect(figures(await read(tap('1..1', 'ok 1', `# ${long}`), 'tap', 4096))).to.deep.equal([1, 0, 0, 0]);
  });

  it('bears a line that does not end', async () => {
    expect(figures(await read(`1..1\nok 1\n${'x'.repeat(1e6)}`, 'tap', 4096))).to.deep.equal([1, 0, 0, 0]);
  });
});
