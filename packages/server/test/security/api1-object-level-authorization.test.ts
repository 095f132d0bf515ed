import { expect } from 'chai';
import { inSqlite } from '../harness/openings.js';
import { LINK, newIssue, newItem, onWebhook, started, TASK, waiverUntil } from '../harness/preparations.js';
import { FINISHED, RUN } from '../harness/reports.js';
import { type Stage, useFreshStage } from '../harness/stage.js';

/** Data of the victims, which must be in no answer to another caller. */
const THEIRS = /checkout|Payments|Ada|2\.4/;

/** Everything of the victims that has an id. */
const robbed = async (stage: Stage) => {
  const { browser, inRelease } = stage;
  const waiver = await browser.ok('waiveReason', { path: inRelease, body: waiverUntil(stage) });
  const item = await newItem(stage);
  const evidence = await browser.ok('addEvidence', { path: item, body: LINK });
  const key = await browser.ok('createApiKey', { body: { name: 'theirs', scopes: ['read'] } });
  return {
    ...(await started(stage)),
    ...(await newIssue(stage)),
    ...(await onWebhook(stage)).path,
    ...item,
    evidence_id: evidence.body.data.id,
    waiver_id: waiver.body.data.id,
    api_key_id: key.body.data.id,
  };
};

/** Another team's owner, with a project and release of her own. */
const mallory = async ({ service, world }: Stage) => {
  const person = await world.person('Mallory');
  const team = await world.team(person, 'Elsewhere');
  const project = await world.project(person, team, 'shadow');
  const release = await world.release(person, project, '9.9');
  const path = { team_id: team.id, project_id: project.id, release_id: release.id };
  return { browser: service.signedIn(person), key: service.withKey(await world.key(person)), path };
};

describe('OWASP API1, broken object level authorization: who knows the ids of another team', () => {
  const stage = useFreshStage(inSqlite);

  it('gets nothing by them in a path of her own, in a body or in a query, and changes nothing', async () => {
    const theirs = await robbed(stage());
    const { pipeline, inRelease: path, browser, team } = stage();
    const readiness = () => pipeline.ok('readReadiness', { path });
    const audit = () => browser.ok('listAuditEntries', { path: { team_id: team.id } });
    const before = [(await readiness()).text, (await audit()).text];

    const { browser: hers, key, path: own } = await mallory(stage());
    const mixed = { ...theirs, ...own };
    const attacks = [
      key.ask('readDeployment', { path: theirs }),
      key.ask('finishDeployment', { path: theirs, body: { status: 'failure' } }),
      key.ask('recordDeployment', { body: FINISHED }),
      key.ask('recordDeployment', { body: { ...FINISHED, project_id: theirs.project_id } }),
      key.ask('recordDeployment', { body: { ...FINISHED, app_name: 'shadow', project_id: theirs.project_id } }),
      key.ask('recordTestRun', { path: own, body: { ...RUN, release_id: theirs.release_id } }),
      key.ask('readReadiness', { path: { ...own, release_id: theirs.release_id } }),
      key.ask('readReadiness', { path: { ...theirs, team_id: own.team_id } }),
      key.ask('askWhatIf', { path: { ...own, release_id: theirs.release_id }, body: { policy: { threshold: 1 } } }),
      key.ask('followEvents', { query: { project_id: theirs.project_id } }),
      hers.ask('createIssue', { path: own, body: { ...TASK, release_id: theirs.release_id } }),
      hers.ask('changeIssue', { path: mixed, body: { state: 'done' } }),
      hers.ask('changeChecklistItem', { path: mixed, body: { state: 'done' } }),
      hers.ask('addEvidence', { path: mixed, body: LINK }),
      hers.ask('removeEvidence', { path: mixed }),
      hers.ask('withdrawWaiver', { path: mixed }),
      hers.ask('readWebhook', { path: mixed }),
      hers.ask('rotateWebhookSecret', { path: mixed }),
      hers.ask('revokeApiKey', { path: theirs }),
      hers.ask('createApiKey', { body: { name: 'k', scopes: ['read'], team_id: theirs.team_id } }),
      hers.ask('createInvitation', { body: { team_id: theirs.team_id, role: 'owner' } }),
    ];
    for (const { status, text } of await Promise.all(attacks)) {
      expect(status, text).to.be.oneOf([404, 422]);
      // The name she sent herself is repeated to her.
      const own = text.replaceAll('is named checkout.', '');
      expect(THEIRS.test(own), own).to.equal(false);
    }
    expect([(await readiness()).text, (await audit()).text]).to.deep.equal(before);
  });

  it('learns no id by counting: those of neighbours differ in random bits', async () => {
    const ids = [];
    for (let count = 0; count < 8; count += 1) ids.push((await started(stage())).deployment_id);
    expect(new Set(ids.map((id) => id.slice(19))).size, 'the random half').to.equal(ids.length);
    const { key } = await mallory(stage());
    const [last = ''] = ids.slice(-1);
    const next = last.replace(/.$/, (digit) => (digit === 'f' ? '0' : (Number.parseInt(digit, 16) + 1).toString(16)));
    await key.refused('readDeployment', 'not-found', { path: { deployment_id: next } });
  });
});
