import type { HostAccess, HostReading, HostTestRun, RepositoryIdentity, TestRunSource } from '@shipworthy/domain/ports';
import { TEST_RUN_SOURCES } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { granted } from './granted.js';
import type { OpenHost } from './host-stage.js';
import type { CheckOutcome } from './host-world.js';
import { onStage } from './on-stage.js';
import { FIRST, fresh, only, whole } from './whole-reading.js';

const AT = Date.UTC(2026, 4, 5, 8);
const MINUTE = 60_000;
const sha = (sign: string): string => sign.repeat(40);

/** Checks or workflows as test runs, of every source unless told. */
export const testRunsContract = (open: OpenHost, sources: readonly TestRunSource[] = TEST_RUN_SOURCES): void => {
  for (const source of sources) {
    describe(`test runs from ${source}`, () => {
      const staged = onStage(open);
      let access: () => HostAccess;
      before(async () => {
        access = (await granted(staged())).access;
      });
      testRuns(source, staged, () => access());
    });
  }
};

const testRuns = (source: TestRunSource, staged: ReturnType<typeof onStage>, access: () => HostAccess): void => {
  const read = (repository: RepositoryIdentity, request = FIRST): Promise<HostReading<HostTestRun>> =>
    staged().host.reader.testRuns(access(), repository, source, request);
  const rowsOf = async (repository: RepositoryIdentity) => (await whole((request) => read(repository, request))).rows;
  const ran = (
    repository: RepositoryIdentity,
    commitSha: string,
    outcomes: readonly CheckOutcome[],
    from = AT,
  ): void => {
    const checks = outcomes.map((outcome, place) => ({
      name: `check ${place}`,
      outcome,
      finishedAt: from + place * MINUTE,
    }));
    staged().world.testRun(repository, source, { suite: 'CI', commitSha, checks });
  };

  it('may be none', async () => {
    expect(await rowsOf(staged().world.repository({ path: 'tested/never' }))).to.deep.equal([]);
  });

  it('count what passed and what failed; what was canceled or skipped is neither', async () => {
    const repository = staged().world.repository({ path: 'tested/all' });
    ran(repository, sha('a'), ['passed', 'failed', 'skipped', 'canceled', 'passed']);
    const row = only(await rowsOf(repository), () => true);
    expect(row).to.include({ passed: 2, failed: 1, skipped: 2, commitSha: sha('a') });
    expect(row.suite).to.be.oneOf(['CI', null]);
    // When the last of them really finished.
    expect(row.ranAt).to.equal(AT + 4 * MINUTE);
  });

  it('come once they have finished', async () => {
    const repository = staged().world.repository({ path: 'tested/running' });
    ran(repository, sha('b'), ['passed', 'running']);
    expect(await rowsOf(repository)).to.deep.equal([]);
  });

  it('are read the same when nothing ran, and as another run once something did', async () => {
    const repository = staged().world.repository({ path: 'tested/again' });
    ran(repository, sha('c'), ['passed']);
    const first = fresh(await read(repository));
    const again = await rowsOf(repository);
    expect(again).to.deep.equal(first.rows);
    if (first.validator !== null) {
      const known = await read(repository, { ...FIRST, validator: first.validator });
      expect(known.unchanged).to.equal(true);
    }
    ran(repository, sha('d'), ['failed'], AT + 10 * MINUTE);
    const since = AT + 5 * MINUTE;
    const next = fresh(await read(repository, { since, page: null, validator: first.validator }));
    const row = only(next.rows, () => true);
    expect(row).to.include({ passed: 0, failed: 1, commitSha: sha('d'), ranAt: AT + 10 * MINUTE });
    expect(row.id).to.not.equal(again[0]?.id);
  });

  it('are another one when they ran again at the same commit', async () => {
    const repository = staged().world.repository({ path: 'tested/twice' });
    ran(repository, sha('e'), ['failed']);
    const first = only(await rowsOf(repository), () => true);
    ran(repository, sha('e'), ['passed'], AT + 10 * MINUTE);
    const { rows } = await whole((request) => read(repository, request), { ...FIRST, since: AT + 5 * MINUTE });
    const row = only(rows, () => true);
    expect(row).to.include({ passed: 1, failed: 0, commitSha: sha('e'), ranAt: AT + 10 * MINUTE });
    expect(row.id).to.not.equal(first.id);
    ran(repository, sha('e'), ['failed'], AT + 20 * MINUTE);
    const { rows: third } = await whole((request) => read(repository, request), { ...FIRST, since: AT + 15 * MINUTE });
    expect(only(third, () => true).id, 'with the same result as the first').to.not.be.oneOf([first.id, row.id]);
  });
};
