import { expect } from 'chai';
import { plainFacts } from '../../../src/readiness/basis.js';
import {
  assessRelease,
  createEngine,
  DEFAULT_POLICY,
  defineAxis,
  type Engine,
  FIVE_AXES,
  factFaults,
  judgementForm,
  type OwnAxis,
  type ReleaseFacts,
  type ReportedFacts,
  share,
  unmeasured,
} from '../../../src/readiness/index.js';
import { HOUR, NOW, READY, ready } from '../sample-release.js';

const demanding = (...ownAxes: readonly OwnAxis[]) => ({ ...DEFAULT_POLICY, ownAxes });

const report = (part: number, whole: number | null, explanation: string | null = null): ReportedFacts => ({
  ...{ part, whole, explanation, url: null, measuredAt: NOW - HOUR },
});

describe('The explanation of an own axis', () => {
  const SECURITY: OwnAxis = { name: 'security', weight: 1, unit: { one: 'finding', many: 'findings' } };
  const explanationOf = (own: Record<string, ReportedFacts>, axis: OwnAxis = SECURITY) =>
    assessRelease(ready({ ownAxes: own }), demanding(axis), NOW).ownAxes?.[0]?.explanation;

  it('says the part and the whole, and what was reported with them', () => {
    expect(explanationOf({ security: report(48, 50) })).to.equal('48 of 50 findings');
    expect(explanationOf({ security: report(0, 1, 'One is open.') })).to.equal('0 of 1 finding: One is open.');
  });

  it('says why there is no score', () => {
    expect(explanationOf({})).to.equal('Nothing was reported for security: send a report from CI');
    expect(explanationOf({ security: report(0, null) })).to.equal('The latest report of security could not measure it');
    expect(explanationOf({ security: report(0, null, 'No scanner.') })).to.equal(
      'The latest report of security could not measure it: No scanner.',
    );
    const old = { ...report(1, 1), measuredAt: NOW - 2 * HOUR - 1 };
    expect(explanationOf({ security: old }, { ...SECURITY, freshForHours: 2 })).to.equal(
      'The latest report of security is older than 2 hours: send a new one from CI',
    );
  });
});

describe('The check of the facts of own axes', () => {
  const faultsOf = (own: object) =>
    factFaults(ready({ ownAxes: { security: { ...report(0, null), ...own } } })).map(({ pointer, message }) => [
      pointer.slice('/own_axes/security'.length),
      message,
    ]);

  it('says in a sentence what does not fit', () => {
    expect(faultsOf({ whole: 0 })).to.deep.equal([['/whole', 'It must be 1 at least, or null']]);
    expect(faultsOf({ part: 1 })).to.deep.equal([['/part', 'It must be 0 where the whole is null']]);
    for (const part of [-1, 0.5, '1', Number.NaN])
      expect(
        faultsOf({ part }).map(([pointer]) => pointer),
        String(part),
      ).to.deep.equal(['/part']);
    expect(faultsOf({})).to.deep.equal([]);
  });

  it('needs no full look at facts that are fit', () => {
    for (const own of [
      report(0, 1),
      report(1, 1),
      report(0, null, 'No scanner.'),
      { ...report(1, 2), url: 'https://a' },
    ]) {
      const facts = ready({ ownAxes: { security: own } });
      expect(plainFacts(facts)?.ownAxes, JSON.stringify(own)).to.deep.equal({ security: own });
    }
    const none = { security: undefined } as unknown as NonNullable<ReleaseFacts['ownAxes']>;
    expect(plainFacts(ready({ ownAxes: none }))).to.equal(undefined);
  });
});

describe('An engine with axes of a program', () => {
  const contrast = defineAxis<{ readonly pages: number; readonly clean: number }>({
    name: 'contrast',
    title: 'Contrast',
    unit: { one: 'page', many: 'pages' },
    measure: ({ pages, clean }) => (pages > 0 ? share(clean, pages) : unmeasured('not_measurable')),
    explain: ({ pages, clean }) => `${clean} of ${pages} pages are readable`,
    faults: (facts) =>
      typeof (facts as { pages?: unknown }).pages === 'number'
        ? []
        : [{ pointer: '/pages', code: 'wrong_type', message: 'It must be a number' }],
  });
  // Made for each test: an engine keeps what it completed of a policy.
  let engine: Engine;
  beforeEach(() => {
    engine = createEngine({ axes: [...FIVE_AXES, contrast] });
  });
  // A moment does not make facts of a program a report.
  const facts = (pages: number, clean: number) => ({
    ...READY,
    ownAxes: { contrast: { pages, clean, measuredAt: NOW } },
  });

  it('judges by them', () => {
    const policy = demanding({ name: 'contrast', weight: 2, minimum: 50 });
    const judged = engine.assess(facts(10, 4), policy, NOW);
    expect(judged).to.include({ formula: '2', score: 82.85 });
    expect(judged.ownAxes?.[0]).to.include({ title: 'Contrast', score: 40, explanation: '4 of 10 pages are readable' });
    expect(judged.gate.nextSteps[0]).to.include({ axis: 'contrast', action: 'improve', count: 1 });
    const [sent, ...others] = judgementForm(judged).own_axes ?? [];
    expect(others).to.deep.equal([]);
    expect(sent).to.include({ axis: 'contrast', score: 40 }).and.not.have.property('facts');
  });

  it('shows one that the policy does not name, without weight', () => {
    const judged = engine.assess(facts(10, 4), DEFAULT_POLICY, NOW);
    expect(judged).to.include({ formula: '1', score: 100 });
    expect(judged.ownAxes?.[0]).to.include({ axis: 'contrast', weight: 0, score: 40 });
  });

  it('names one by its definition where the policy does not, and adds those that the policy leaves out', () => {
    const titled = defineAxis({ ...contrast, name: 'colour', title: 'Contrast of colours' });
    const two = createEngine({ axes: [...FIVE_AXES, contrast, titled] });
    for (const policy of [demanding({ name: 'colour', weight: 2 }), DEFAULT_POLICY]) {
      const [first, second] = two.assess(facts(10, 4), policy, NOW).ownAxes ?? [];
      expect(first).to.deep.include({ axis: 'colour', title: 'Contrast of colours', unit: contrast.unit });
      expect(second).to.deep.include({ axis: 'contrast', title: 'Contrast', weight: 0, score: 40 });
    }
  });

  it('refuses facts that their axis finds faulty, and a share that is none', () => {
    const wrong = { ...READY, ownAxes: { contrast: { pages: 'x', clean: 0 } } };
    expect(() => engine.assess(wrong, DEFAULT_POLICY, NOW)).to.throw(TypeError, '/facts/own_axes/contrast/pages');
    expect(() => engine.assess(facts(1, 2), DEFAULT_POLICY, NOW)).to.throw(TypeError, 'a part of a whole');
  });

  it('takes a program at its word that its axis is unmeasured, unless it gives a number, too', () => {
    const policy = demanding({ name: 'contrast', weight: 2, required: true });
    const judged = engine.assess(facts(0, 0), policy, NOW);
    expect(judged.ownAxes?.[0]).to.include({ state: 'unmeasured', cause: 'not_measurable' });
    expect(judged.gate.decision).to.equal('unknown');
    const torn = defineAxis({ ...contrast, measure: () => ({ ...share(1, 2), cause: 'not_measurable' }) });
    const other = createEngine({ axes: [...FIVE_AXES, torn] });
    expect(() => other.assess(facts(1, 1), policy, NOW)).to.throw(TypeError, 'as unmeasured with a cause');
    const surplus = defineAxis({ ...contrast, measure: () => ({ ...unmeasured('not_measurable'), part: 5 }) });
    const third = createEngine({ axes: [...FIVE_AXES, surplus] });
    expect(third.assess(facts(1, 1), policy, NOW)).to.deep.include({ score: judged.score, gate: judged.gate });
  });

  it('with the five alone is the engine', () => {
    const plain = createEngine({ axes: FIVE_AXES });
    expect(plain.assess(READY, DEFAULT_POLICY, NOW)).to.deep.equal(assessRelease(READY, DEFAULT_POLICY, NOW));
  });

  it('has each axis once and all of the five', () => {
    expect(() => createEngine({ axes: [contrast] })).to.throw(TypeError, 'scope is missing');
    expect(() => createEngine({ axes: [...FIVE_AXES, contrast, contrast] })).to.throw(TypeError, 'once');
    expect(() => defineAxis({ ...contrast, name: 'scope' })).to.throw(TypeError, 'none of the five');
  });

  it('refuses every share that is no part of a whole', () => {
    const wrong = [
      { part: 3, whole: 2 },
      { part: 0.5, whole: 1 },
      { part: -1, whole: 2 },
      { part: Number.NaN, whole: 1 },
      { part: '1', whole: 1 },
      { part: 0, whole: 0 },
      { part: 0, whole: -1 },
      { part: 0, whole: 1.5 },
      { part: 0, whole: Number.POSITIVE_INFINITY },
    ];
    for (const given of wrong) {
      const measure = () => ({ ...given, cause: null }) as ReturnType<typeof share>;
      const other = createEngine({ axes: [...FIVE_AXES, defineAxis({ ...contrast, measure })] });
      const assess = () => other.assess(facts(1, 1), DEFAULT_POLICY, NOW);
      expect(assess, JSON.stringify(given)).to.throw(TypeError, 'must be measured as a part of a whole');
    }
  });

  it('takes all of a whole, by title and unit of the policy where that gives them', () => {
    const unit = { one: 'screen', many: 'screens' };
    const policy = demanding({ name: 'contrast', weight: 2, title: 'Legibility', unit });
    expect(engine.assess(facts(2, 2), policy, NOW).ownAxes?.[0]).to.deep.include({
      title: 'Legibility',
      unit,
      score: 100,
    });
    const { title, unit: own } = contrast;
    expect(engine.assess(facts(2, 2), DEFAULT_POLICY, NOW).ownAxes?.[0]).to.deep.include({ title, unit: own });
  });

  it('explains an axis without facts like any other', () => {
    const [reading] = engine.assess(READY, demanding({ name: 'contrast', weight: 2 }), NOW).ownAxes ?? [];
    expect(reading).to.include({ state: 'unmeasured', cause: 'no_report' });
    expect(reading?.explanation).to.equal('Nothing was reported for contrast: send a report from CI');
  });

  it('takes any facts for an axis that checks none', () => {
    const { faults: _, ...unchecked } = contrast;
    const other = createEngine({ axes: [...FIVE_AXES, defineAxis(unchecked)] });
    expect(other.assess(facts(10, 4), DEFAULT_POLICY, NOW).ownAxes?.[0]).to.include({ score: 40 });
  });

  it('takes facts of a program with the full check, too', () => {
    const { faults: _, ...unchecked } = contrast;
    const onlyByTheFullCheck = { ...facts(10, 4), issuesPending: undefined };
    expect(plainFacts(onlyByTheFullCheck as never)).to.equal(undefined);
    for (const axis of [contrast, unchecked]) {
      const { ownAxes } = createEngine({ axes: [...FIVE_AXES, defineAxis(axis)] }).assess(
        onlyByTheFullCheck as never,
        ...([DEFAULT_POLICY, NOW] as const),
      );
      expect(ownAxes?.[0]).to.include({ score: 40, explanation: '4 of 10 pages are readable' });
    }
  });
});

describe('Several own axes', () => {
  it('are read each by its own report', () => {
    const axes = ['aa', 'bb', 'cc'].map((name) => ({ name, weight: 1 }));
    const reports = { aa: report(1, 4), bb: report(2, 4), cc: report(3, 4) };
    const { ownAxes = [] } = assessRelease(ready({ ownAxes: reports }), demanding(...axes), NOW);
    expect(ownAxes.map((reading) => reading.state === 'measured' && reading.score)).to.deep.equal([25, 50, 75]);
  });
});
