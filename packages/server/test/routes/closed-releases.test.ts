import { expect } from 'chai';
import { onEveryStore } from '../harness/openings.js';
import { type Stage, useFreshStage } from '../harness/stage.js';

const LINK = { url: 'https://docs.acme.dev/checkout/2.4', label: 'Release notes' };
const TASK = { title: 'Refunds', type: 'task', state: 'todo' } as const;

const CLOSINGS = { shipped: 'shipRelease', canceled: 'cancelRelease' } as const;

/** A release that was used and then closed, with what it holds. */
const closed = async ({ browser, inProject, inRelease }: Stage, how: keyof typeof CLOSINGS) => {
  const [item] = (await browser.ok('listChecklist', { path: inRelease })).body.data;
  const inItem = { ...inRelease, item_id: item?.id ?? '' };
  const { data: evidence } = (await browser.ok('addEvidence', { path: inItem, body: LINK })).body;
  const wish = { ...TASK, release_id: inRelease.release_id };
  const { data: issue } = (await browser.ok('createIssue', { path: inProject, body: wish })).body;
  await browser.ok(CLOSINGS[how], { path: inRelease });
  return { inItem, inIssue: { ...inProject, issue_id: issue.id }, inEvidence: { ...inItem, evidence_id: evidence.id } };
};

onEveryStore('a closed release', (open) => {
  const stage = useFreshStage(open);
  for (const how of ['shipped', 'canceled'] as const) {
    it(`keeps its checklist once ${how}`, async () => {
      const { browser, inRelease, release } = stage();
      const { inItem, inEvidence } = await closed(stage(), how);
      const before = (await browser.ok('listChecklist', { path: inRelease })).text;
      const { status, body } = await browser.refused('addChecklistItem', 'release-closed', {
        path: inRelease,
        body: { title: 'Late' },
      });
      expect([status, body.release]).to.deep.equal([409, { id: release.id, name: '2.4' }]);
      await browser.refused('changeChecklistItem', 'release-closed', { path: inItem, body: { state: 'done' } });
      await browser.refused('removeChecklistItem', 'release-closed', { path: inItem });
      await browser.refused('restoreChecklistItem', 'release-closed', { path: inItem });
      await browser.refused('confirmChecklistItem', 'release-closed', { path: inItem, headers: { 'if-match': '"2"' } });
      await browser.refused('addEvidence', 'release-closed', { path: inItem, body: LINK });
      await browser.refused('removeEvidence', 'release-closed', { path: inEvidence });
      expect((await browser.ok('listChecklist', { path: inRelease })).text).to.equal(before);
    });

    it(`keeps its issues once ${how}, whose other fields still change`, async () => {
      const { browser, inProject, inRelease } = stage();
      const { inIssue } = await closed(stage(), how);
      const wish = { ...TASK, release_id: inRelease.release_id };
      await browser.refused('createIssue', 'release-closed', { path: inProject, body: wish });
      await browser.refused('changeIssue', 'release-closed', { path: inIssue, body: { release_id: null } });
      const loose = (await browser.ok('createIssue', { path: inProject, body: TASK })).body.data;
      const path = { ...inProject, issue_id: loose.id };
      await browser.refused('changeIssue', 'release-closed', { path, body: { release_id: inRelease.release_id } });
      await browser.ok('changeIssue', { path: inIssue, body: { state: 'done', release_id: inRelease.release_id } });
    });

    it(`keeps its start once ${how}, but not its name`, async () => {
      const { browser, inRelease: path } = stage();
      await closed(stage(), how);
      await browser.refused('changeRelease', 'release-closed', { path, body: { starts_at: '2026-01-01T00:00:00Z' } });
      const { data } = (await browser.ok('changeRelease', { path, body: { name: '2.4 final' } })).body;
      expect(data).to.include({ name: '2.4 final', state: how });
    });
  }
});
