import { expect } from 'chai';
import {
  differencesOf,
  NEW_AXIS,
  type PolicyDraft,
  policyDraftOf,
  readDraft,
} from '../../../../src/screens/project-settings/policy/policy-draft.js';
import { POLICY } from './sample-policy.js';

const { version: _, ...KNOWN } = POLICY;
const SENT = { ...KNOWN, own_axes: [] };
const SECURITY = {
  name: 'security',
  title: 'App security',
  unit: { one: 'finding', many: 'findings' },
  weight: 2,
  minimum: 90.5,
  required: true,
  fresh_for_hours: 24,
};
const WATCHED = {
  ...{ name: 'page_speed', title: 'Page speed', unit: { one: 'part', many: 'parts' } },
  ...{ weight: 0, minimum: 0, required: false, fresh_for_hours: null },
};
const wrong = (members: Partial<PolicyDraft>) => Object.keys(readDraft({ ...policyDraftOf(POLICY), ...members }).wrong);

describe('a draft of a policy', () => {
  it('says what the policy says that it was made of', () => {
    expect(readDraft(policyDraftOf(POLICY))).to.deep.equal({ policy: SENT, wrong: {} });
    const open = { ...POLICY, environments: null, max_open_critical_bugs: null, silence_hours: null };
    expect(readDraft(policyDraftOf(open)).policy.environments).to.equal(null);
    expect(readDraft(policyDraftOf(open)).policy.max_open_critical_bugs).to.equal(null);
  });

  it('names the bounds of a number that is out of them', () => {
    const said = (members: Partial<PolicyDraft>) =>
      Object.values(readDraft({ ...policyDraftOf(POLICY), ...members }).wrong);
    const { weights } = policyDraftOf(POLICY);
    expect(said({ weights: { ...weights, ops: '1001' } })).to.deep.equal(['Enter a whole number, 0 to 1,000.']);
    expect(said({ finished: '0' })).to.deep.equal(['Enter a whole number, 1 or more.']);
    expect(said({ finished: '2147483648' })).to.deep.equal(['Enter a whole number, 1 to 2,147,483,647.']);
    expect(said({ freshness: '0' })).to.deep.equal(['Enter 0.01 to 87,600.']);
  });

  it('keeps own axes as they are, what is usual of them left out', () => {
    const { title: __, unit: ___, ...watched } = WATCHED;
    const draft = policyDraftOf({ ...POLICY, own_axes: [WATCHED, SECURITY] });
    const own_axes = [watched, SECURITY].map((axis) => ({ ...axis, counted_from: null }));
    expect(readDraft(draft)).to.deep.equal({ policy: { ...KNOWN, own_axes }, wrong: {} });
    expect(readDraft({ ...draft, own: [] }).policy.own_axes).to.deep.equal([]);
  });

  it('keeps what an own axis is counted from, of which no report can be old', () => {
    const counted = { ...WATCHED, counted_from: 'checklist_evidence' } as const;
    const { own } = policyDraftOf({ ...POLICY, own_axes: [counted] });
    const [sent] =
      readDraft({ ...policyDraftOf(POLICY), own: own.map((axis) => ({ ...axis, fresh: 'old' })) }).policy.own_axes ??
      [];
    expect(sent).to.deep.include({ counted_from: 'checklist_evidence', fresh_for_hours: null });
  });

  it('marks what is wrong with own axes', () => {
    const [first = NEW_AXIS] = policyDraftOf({ ...POLICY, own_axes: [SECURITY] }).own;
    const wrongIn = (...own: readonly Partial<typeof first>[]) =>
      wrong({ own: own.map((members) => ({ ...first, ...members })) });
    expect(wrongIn({})).to.deep.equal([]);
    expect(wrongIn({ name: 'App' }, {}, {})).to.deep.equal(['/own_axes/0/name', '/own_axes/2/name'].reverse());
    expect(wrongIn({ weight: 'x', minimum: '101', fresh: '0', many: '' })).to.have.members([
      '/own_axes/0/weight',
      '/own_axes/0/minimum',
      '/own_axes/0/fresh_for_hours',
      '/own_axes/0/unit',
    ]);
    expect(wrongIn({ weight: '0' })).to.have.members(['/own_axes/0/minimum', '/own_axes/0/required']);
    expect(wrong({ own: [NEW_AXIS] })).to.deep.equal(['/own_axes/0/name']);
  });

  it('lets all environments count again, and remembers which were named', () => {
    const draft: PolicyDraft = { ...policyDraftOf(POLICY), which: 'all' };
    expect(readDraft(draft).policy.environments).to.equal(null);
    expect(draft.environments).to.deep.equal(['production']);
  });

  it('asks for a weight where all are 0', () => {
    const weights = { scope: '0', quality: '0', ops: '0', verification: '0', stability: '0' };
    expect(readDraft({ ...policyDraftOf(POLICY), weights }).wrong).to.deep.equal({
      '/weights/scope': 'Give at least one axis a weight above 0.',
    });
    expect(readDraft({ ...policyDraftOf(POLICY), weights: { ...weights, ops: '1' } }).wrong).to.deep.equal({});
  });

  it('marks every field that is wrong', () => {
    const { weights, minimums } = policyDraftOf(POLICY);
    for (const text of ['', 'x', '-1', '1.5', '1001'])
      expect(wrong({ weights: { ...weights, ops: text } }), text).to.deep.equal(['/weights/ops']);
    for (const text of ['', '101', '80.123', '1e3'])
      expect(wrong({ minimums: { ...minimums, scope: text }, threshold: text }), text).to.have.members([
        '/minimums/scope',
        '/threshold',
      ]);
    expect(wrong({ freshness: '0', silence: '-3', bugs: '0.5', finished: '0' })).to.have.members([
      '/freshness_hours',
      '/silence_hours',
      '/max_open_critical_bugs',
      '/min_finished_deployments',
    ]);
    expect(wrong({ which: 'named', environments: [] })).to.deep.equal(['/environments']);
    expect(wrong({ freshness: '', silence: ' ', bugs: '' })).to.deep.equal([]);
  });
});

describe('differencesOf', () => {
  it('is empty between a policy and itself, for any version and order of axes', () => {
    expect(differencesOf(POLICY, { ...POLICY, version: 8, required_axes: ['ops', 'scope'] })).to.deep.equal([]);
  });

  it('names own axes that are new, gone or asked otherwise', () => {
    const own = (...own_axes: readonly (typeof SECURITY)[]) => ({ ...POLICY, own_axes });
    expect(differencesOf(POLICY, own(SECURITY))).to.deep.equal([
      {
        title: 'Own axis security',
        first: 'none',
        second: 'called App security, in findings, weight 2, minimum 90.5, must be measured, not older than 24 hours',
      },
    ]);
    const counted = { ...SECURITY, counted_from: 'checklist_evidence' as const };
    expect(differencesOf(own(SECURITY), own(counted))[0]?.second).to.equal(
      'called App security, counted from checklist items with evidence, weight 2, minimum 90.5, must be measured, not older than 24 hours',
    );
    expect(differencesOf(own(SECURITY), POLICY).map(({ second }) => second)).to.deep.equal(['none']);
    expect(differencesOf(own(SECURITY), own({ ...SECURITY, weight: 3 }))).to.have.lengthOf(1);
  });

  it('names what is different, as it is in the first and in the second', () => {
    const other = {
      ...POLICY,
      threshold: 80,
      environments: null,
      freshness_hours: 1,
      minimums: { ...POLICY.minimums, ops: 50 },
      required_axes: [],
      verification: 'latest_per_suite',
    } as const;
    expect(differencesOf(POLICY, other)).to.deep.equal([
      { title: 'Minimum score', first: '82.5', second: '80' },
      { title: 'Ops, minimum', first: '100', second: '50' },
      { title: 'Must be measured', first: 'Scope, Ops', second: 'none' },
      { title: 'Environments that count', first: 'production', second: 'all' },
      { title: 'Test run', first: 'The latest run', second: 'The latest run of each suite, added up' },
      { title: 'Test run not older than', first: 'any age', second: '1 hour' },
    ]);
  });
});
