import { expect } from 'chai';
import { approveAtHost, type LocalStage, setLocalStage, until } from '../harness/local-host.js';
import { inSqlite } from '../harness/openings.js';

const DAY = 86_400_000;

/** Unusual texts that any person can write into the title of an issue at a repository host. */
const TITLES = [
  '<script>fetch("/api/settings/api-keys")</script>',
  '=HYPERLINK("https://evil.example","pay")',
  '@SUM(1+9)*cmd|"/c calc"!A0',
  "'; drop table issues; --",
  'nothing\u0000behind',
  'half a pair \ud800',
  '\u202egnp.exe',
  '\u001b[2J\u001b]0;owned\u0007',
  '__proto__',
  'x'.repeat(100_000),
];

describe('OWASP API10, unsafe consumption of APIs: a repository whose issues are hostile', () => {
  let stage: LocalStage;
  const imported = async () =>
    (await stage.pipeline.ok('readRepositoryLink', { path: stage.inProject })).body.data.import;

  before(async () => {
    stage = await setLocalStage(inSqlite);
    const { browser, inProject: path, github } = stage;
    const shop = github.data.addRepository('acme/shop');
    const milestone = github.data.addMilestone(shop, { title: '2.4', at: Date.now() - 9 * DAY });
    for (const title of TITLES)
      github.data.addIssue(shop, { title, labels: ['bug', title], milestone, at: Date.now() - 8 * DAY });
    await approveAtHost(browser);
    const body = { repository: 'acme/shop', milestones: 'all' } as const;
    await browser.ok('linkRepository', { path, body });
  });
  after(() => stage.close());

  it('is imported as text and counted, each issue once, and stops nothing', async () => {
    const { counts } = await until(imported, ({ state }) => state === 'idle');
    expect(counts).to.include({ issues: TITLES.length });
    const { data } = (await stage.pipeline.ok('readReadiness', { path: stage.inRelease })).body;
    expect(data.axes[0]).to.have.nested.property('facts.total', TITLES.length);
  });

  it('keeps to the limits of every text, from any source', async () => {
    const { data } = (await stage.browser.ok('listIssues', { path: stage.inProject })).body;
    expect(data).to.have.lengthOf(TITLES.length);
    for (const { title } of data) {
      expect(title.length).to.be.within(1, 200);
      expect(/\p{Cc}|\p{Cs}/u.test(title), title).to.equal(false);
    }
    expect(data.map(({ title }) => title)).to.include.members(TITLES.slice(0, 4));
  });

  it('is never more than data to anyone who reads it', async () => {
    const { browser, inProject: path } = stage;
    const { headers, text } = await browser.ok('listIssues', { path });
    expect(headers['content-type']).to.match(/^application\/json/);
    expect(headers['x-content-type-options']).to.equal('nosniff');
    expect(text).to.contain('<script>');
  });
});
