import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOM } from '@shipworthy/test-reports/test-samples';
import { expect } from 'chai';
import { type Service, startService } from '../service/service.js';
import { runIn, type StandIn, standIn } from '../stand-in.js';

const TEXT = readFileSync(join(ROOM, '../../../docs/how-to/record-test-runs.md'), 'utf8');

/** Tool and command of each row of the table of tools. */
const ROWS = [...TEXT.matchAll(/^\| ([^|]+) \| [^|]+ \| `shipworthy ([^`]+)` \|$/gm)].map(
  ([, tool = '', line = '']) => [tool, line.split(' ')] as const,
);

/** What a tool of the table wrote, where it is at hand; a report of its shape else. */
const reportOf = (tool: string, path: string): string => {
  const own: Readonly<Record<string, string>> = {
    'node:test': 'node-20.20.2/report.xml',
    mocha: 'mocha-12.0.3/report.json',
    jest: 'jest-30.5.2/report.json',
    vitest: 'vitest-4.1.12/report.json',
    playwright: 'playwright-1.65.1/report.json',
  };
  const shape = path.endsWith('.json') ? 'jest-30.5.2/report.json' : 'pytest-9.0.3/report.xml';
  return own[tool] ?? (path.endsWith('.tap') ? 'node-20.20.2/report.tap' : shape);
};

describe('the how-to of test runs', () => {
  let service: Service;
  let world: StandIn;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    world = await standIn({ env: { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key } });
  });
  afterEach(() => world.remove());

  it('names every tool with a line', () => {
    expect(ROWS.map(([tool]) => tool)).to.include.members([
      'node:test',
      'mocha',
      'jest',
      'vitest',
      'playwright',
      'pytest',
    ]);
    expect(ROWS).to.have.lengthOf.at.least(12);
  });

  it('shows what is really said', async () => {
    const cases =
      '<testcase name="a"/><testcase name="b"/><testcase name="c"><failure/></testcase><testcase><skipped/></testcase>';
    writeFileSync(join(world.folder, 'report.xml'), `<testsuite>${cases}</testsuite>`);
    const screen = /```text\n([\s\S]*?)```/.exec(TEXT)?.[1] ?? 'none';
    const { err } = await runIn(world, 'tests', 'record', '--app', 'checkout', '--suite', 'unit', 'report.xml');
    const placed = err
      .replace(service.url, 'https://ready.acme.dev')
      .replace(service.teamId, '01a1fd96-36ba-7795-9680-1db7a520e0e8');
    expect(placed.replace(service.projectId, '01a1fd96-36c1-7521-8b26-cdca219b3bb2')).to.equal(screen);
  });

  for (const [tool, argv] of ROWS)
    it(`has a line that works for ${tool}`, async () => {
      const pattern = argv.at(-1) ?? '';
      const path = join(world.folder, pattern.replace('**', 'test').replace('*', 'Suite'));
      mkdirSync(dirname(path), { recursive: true });
      copyFileSync(join(ROOM, 'from-tools', reportOf(tool, path)), path);
      const { exit, err } = await runIn(world, ...argv);
      expect(exit, err).to.equal(0);
    });
});
