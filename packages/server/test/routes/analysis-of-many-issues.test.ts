import type { ImportedIssue, IssueType } from '@shipworthy/domain';
import { expect } from 'chai';
import { inSqlite } from '../harness/openings.js';
import { useStage } from '../harness/stage.js';
import { NOON } from '../harness/test-clock.js';

const ISSUES = 10_000;
const PORTION = 1000;
const HOUR = 3_600_000;

describe('the analysis of a release with many issues, on SQLite', () => {
  const stage = useStage(inSqlite);

  /** One of three events: added, done, and taken up again or canceled, in the 50 days before noon. */
  const imported = (place: number): ImportedIssue => {
    const { service, project, release } = stage();
    const at = NOON - ((place * 7919) % (50 * 24)) * HOUR;
    const type: IssueType = place % 4 === 0 ? 'bug' : 'task';
    const state = place % 2 === 0 ? 'todo' : 'canceled';
    const names = { projectId: project.id, releaseId: release.id, externalId: `host:${place}`, title: 'Refunds' };
    const told = { type, severity: null, url: null, version: 1, createdAt: at, updatedAt: at } as const;
    const issue = { id: service.ports.newId(), ...names, ...told, state } as const;
    const kinds = ['added', 'done', state === 'todo' ? 'reopened' : 'canceled'] as const;
    const events = kinds.map((kind, turn) => ({ issueId: issue.id, releaseId: release.id, at: at + turn, kind, type }));
    return { before: null, issue, events, wholeHistory: true };
  };

  it('counts 10,000 issues with 30,000 events, each once', async () => {
    const { pipeline, inRelease: path, service } = stage();
    service.clock.pass(HOUR);
    for (let first = 0; first < ISSUES; first += PORTION) {
      const portion = Array.from({ length: PORTION }, (_, place) => imported(first + place));
      await service.ports.stores.issues.import(portion);
    }
    const { data } = (await pipeline.ok('readAnalysis', { path })).body;
    expect(data.release.issues).to.deep.equal({ done: 0, total: ISSUES / 2 });
    expect(data.points.reduce((sum, { completed }) => sum + completed, 0)).to.equal(ISSUES);
  });
});
