import { expect } from 'chai';
import { readWithFaults } from '../../src/readiness/faults.js';
import { DEFAULT_POLICY, type OwnAxis, policyFaults } from '../../src/readiness/index.js';
import { MOST_OWN_AXES, ownTitle, plainOwnAxes, preparedAxes } from '../../src/readiness/own-axis.js';
import { ownAxisOfVerdict } from '../../src/readiness/own-wire.js';
import { checkPolicy } from '../../src/readiness/policy.js';

const SECURITY: OwnAxis = { name: 'security', weight: 1 };
const faultsOf = (...ownAxes: readonly object[]) => policyFaults({ ...DEFAULT_POLICY, ownAxes });
const messages = (...ownAxes: readonly object[]) => faultsOf(...ownAxes).map(({ message }) => message);

/** Whether own axes are taken without the full check, which also follows where the fast one throws. */
const passFast = (axes: unknown): boolean => {
  try {
    return plainOwnAxes(axes as readonly OwnAxis[]) !== undefined;
  } catch {
    return false;
  }
};

describe('The title and the unit of an own axis', () => {
  it('are 1 to 60 and 1 to 40 characters, one for each sign that is seen', () => {
    for (const sign of ['x', '😀']) {
      const most = { title: sign.repeat(60), unit: { one: sign.repeat(40), many: sign.repeat(40) } };
      expect(faultsOf({ ...SECURITY, ...most }), sign).to.deep.equal([]);
      const tooLong = { title: sign.repeat(61), unit: { one: sign.repeat(41), many: sign.repeat(41) } };
      expect(messages({ ...SECURITY, ...tooLong }), sign).to.deep.equal([
        'It must be 1 to 60 characters, not all of them blanks',
        'It must be 1 to 40 characters, not all of them blanks',
        'It must be 1 to 40 characters, not all of them blanks',
      ]);
      expect(plainOwnAxes([{ ...SECURITY, ...tooLong }]), sign).to.equal(undefined);
    }
  });

  it('are made of its name where it has no title', () => {
    expect(ownTitle({ name: 'third_party_code' })).to.equal('Third party code');
    expect(ownTitle({ name: 'third_party', title: 'Suppliers' })).to.equal('Suppliers');
  });
});

describe('The faults of own axes', () => {
  it('say in a sentence what is wrong', () => {
    expect(messages(SECURITY, SECURITY)).to.deep.equal(['The axis security is named twice']);
    expect(messages({ name: 'security', minimum: 1, required: true })).to.deep.equal([
      'An axis of weight 0 is not judged: it cannot have a minimum',
      'An axis of weight 0 is not judged: it cannot be required',
    ]);
    const counted = { name: 'evidence', countedFrom: 'checklist_evidence', freshForHours: 1 };
    expect(messages(counted)).to.deep.equal(['An axis that the service counts is never stale']);
  });
});

describe('Own axes that were checked', () => {
  const named = (...names: readonly string[]) => names.map((name) => ({ name }));

  it('come by name, from the fast check and from the full one', () => {
    const names = ['bb', 'cc', 'aa'];
    expect(plainOwnAxes(named(...names))?.map(({ name }) => name)).to.deep.equal(['aa', 'bb', 'cc']);
    const { read, faults } = readWithFaults(checkPolicy, '', { ...DEFAULT_POLICY, ownAxes: named(...names) });
    expect(faults).to.deep.equal([]);
    expect((read as { ownAxes: readonly OwnAxis[] }).ownAxes.map(({ name }) => name)).to.deep.equal(['aa', 'bb', 'cc']);
  });

  it('have all members after the fast check, as they were given or by default', () => {
    const unit = { one: 'finding', many: 'findings' };
    const full = { name: 'security', title: 'Security!', unit, weight: 2, minimum: 50.5, required: true };
    const counted = { name: 'evidence', countedFrom: 'checklist_evidence' } as const;
    expect(plainOwnAxes([{ ...full, freshForHours: 5 }, counted, { name: 'speed' }])).to.deep.equal([
      {
        ...{ ...counted, title: 'Evidence', unit: { one: 'checklist item', many: 'checklist items' } },
        ...{ weight: 0, minimum: 0, required: false, freshForHours: null },
      },
      { ...full, freshForHours: 5, countedFrom: null },
      {
        ...{ name: 'speed', title: 'Speed', unit: { one: 'part', many: 'parts' }, weight: 0, minimum: 0 },
        ...{ required: false, freshForHours: null, countedFrom: null },
      },
    ]);
  });

  it('are 20 at most, each named once, by the fast check, too', () => {
    const many = named(...Array.from({ length: MOST_OWN_AXES + 1 }, (_, index) => `axis_${index}`));
    expect(plainOwnAxes(many.slice(1))).to.have.length(MOST_OWN_AXES);
    expect(plainOwnAxes(many)).to.equal(undefined);
    expect(plainOwnAxes(named('aa', 'bb', 'aa'))).to.equal(undefined);
    expect(plainOwnAxes('axes' as never)).to.equal(undefined);
  });

  it('are left to the full check where one may be faulty', () => {
    for (const change of [
      { name: 'Security' },
      { title: ' ' },
      { title: 5 },
      { unit: { one: 'x', many: '' } },
      { weight: 0.5 },
      { minimum: 101 },
      { required: 'yes' },
      { freshForHours: 0 },
      { weight: 0, minimum: 1 },
      { weight: 0, required: true },
      { countedFrom: 'stars' },
      { countedFrom: 'checklist_evidence', freshForHours: 1 },
      { colour: 'red' },
    ])
      expect(passFast([{ ...SECURITY, ...change }]), JSON.stringify(change)).to.equal(false);
  });
});

describe('Own axes that a caller sent', () => {
  it('keep what the policy of now counts for the axis of the same name, unless they say otherwise', () => {
    const present = [{ name: 'evidence', countedFrom: 'checklist_evidence' } as const];
    expect(preparedAxes([{ name: 'evidence' }, { name: 'other' }], present)).to.deep.equal([
      ...present,
      { name: 'other' },
    ]);
    expect(preparedAxes([{ name: 'evidence', countedFrom: null }], present)).to.deep.equal([{ name: 'evidence' }]);
    expect(preparedAxes([{ name: 'evidence' }])).to.deep.equal([{ name: 'evidence' }]);
    expect(preparedAxes([7, null, 'x'] as never)).to.deep.equal([7, null, 'x']);
  });

  it('lose a unit that is a default one in both words', () => {
    const prepared = (one: string, many: string) => preparedAxes([{ name: 'aa', unit: { one, many } }]);
    expect(prepared('part', 'parts')).to.deep.equal([{ name: 'aa' }]);
    expect(prepared('checklist item', 'checklist items')).to.deep.equal([{ name: 'aa' }]);
    for (const [one, many] of [
      ['part', 'pieces'],
      ['piece', 'parts'],
      ['part', 'checklist items'],
    ] as const)
      expect(prepared(one, many)).to.deep.equal([{ name: 'aa', unit: { one, many } }]);
  });
});

describe('The own axis of a verdict', () => {
  it('names the records that were counted where this engine knows them', () => {
    const axis = { name: 'evidence', weight: 1, minimum: 0, required: false, fresh_for_hours: null };
    const read = { name: 'evidence', weight: 1, minimum: 0, required: false, freshForHours: null };
    expect(ownAxisOfVerdict({ ...axis, counted_from: 'checklist_evidence' })).to.deep.equal({
      ...read,
      countedFrom: 'checklist_evidence',
    });
    for (const counted_from of ['stars', null]) expect(ownAxisOfVerdict({ ...axis, counted_from })).to.deep.equal(read);
    expect(ownAxisOfVerdict(axis)).to.deep.equal(read);
  });
});
