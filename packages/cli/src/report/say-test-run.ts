import type { TestRun } from '@shipworthy/client';
import type { Connection } from '../connection/connect.js';
import { harmless } from '../output/safe-text.js';
import { pathOf, visibleProjects } from '../project/find-project.js';
import { schemaFaults } from '../schema/schema-faults.js';
import type { Session } from '../session.js';
import { type Sent, TEST_RUN } from '../spool/deliver.js';
import { shownScore } from '../verdict/shown-score.js';
import type { ReportSum } from './sum-reports.js';

const LINK_MS = 2_000;

/** The counts in words: `412 tests ran: 409 passed, 2 failed, 1 errored; 3 skipped`. */
export const countsInWords = ({
  total,
  passed,
  failed,
  skipped,
}: Pick<ReportSum, 'total' | 'passed' | 'failed' | 'skipped'>): string => {
  const errored = total - passed - failed;
  const parts = [`${passed} passed`, `${failed} failed`, ...(errored > 0 ? [`${errored} errored`] : [])];
  return `${total} ${total === 1 ? 'test' : 'tests'} ran: ${parts.join(', ')}${skipped > 0 ? `; ${skipped} skipped` : ''}`;
};

const isTestRun = (record: Sent['record']): record is TestRun => record !== null && 'total' in record;

const shown = (score: number | null): string => (score === null ? 'none' : shownScore(score));

const countedFor = ({ releases, reason }: TestRun['attribution']): string => {
  const parts = releases.map(({ name, counts, reason: why, contribution }) => {
    if (!counts) return `not for ${harmless(name)} (${why ?? 'not counted'})`;
    if (contribution === undefined) return `for ${harmless(name)}`;
    const { score_with, score_without } = contribution;
    return `for ${harmless(name)} (score ${shown(score_with)} with it, ${shown(score_without)} without)`;
  });
  return parts.length === 0
    ? `It counts for no release (${reason ?? 'not counted'}).`
    : `It counts ${parts.join(', ')}.`;
};

/** The record with what it contributes, and its page; the record as it was answered where that cannot be had at once. */
const asRead = async ({ client, address }: Connection, record: TestRun) => {
  try {
    const projects = await visibleProjects(client, { timeoutMs: LINK_MS });
    const project = projects.find(({ id }) => id === record.project_id);
    if (project === undefined) return { record, page: null };
    const page = `${address}/teams/${project.teamId}/projects/${project.id}/test-runs`;
    const path = { ...pathOf(project), test_run_id: record.id };
    const read = await client.readTestRun({ path, timeoutMs: LINK_MS }).then(
      ({ body }) => (schemaFaults(TEST_RUN, body).length === 0 ? body.data : record),
      () => record,
    );
    return { record: read, page };
  } catch {
    // The report stands; only its link is missing.
    return { record, page: null };
  }
};

/** Says what the server has and what it counts for; answers the link, null where there is none. */
export const sayTestRun = async ({ screen }: Session, connection: Connection, sent: Sent): Promise<string | null> => {
  if (!isTestRun(sent.record)) {
    screen.say(`Test run ${sent.id} was recorded before; this one is not added.`);
    return null;
  }
  const { record, page } = await asRead(connection, sent.record);
  screen.say(`Recorded${sent.repeated ? ' before' : ''}. ${countedFor(record.attribution)}`);
  screen.say(page ?? `Test run ${sent.id}`);
  return page;
};
