import { expect } from 'chai';
import { exitOf, grouped, resultsData, runSteps, safeLine } from '../../src/commands/doctor.js';
import { actionFinding, type Finding, readyFinding } from '../../src/doctor/finding.js';
import { NetworkFault } from '../../src/doctor/network.js';
import type { Examination, Group, Step } from '../../src/doctor/step.js';

// The steps of these tests look at nothing.
const nothing = {} as Examination;
const step = (id: string, check: Step['check'], after: readonly string[] = [], limitMs = 1_000): Step => ({
  id,
  title: `Title of ${id}`,
  after,
  limitMs,
  check,
});
const good: Step['check'] = async () => readyFinding('good.');
const bad: Step['check'] = async () => actionFinding('bad.', 'mend it');
const broken: Step['check'] = () => {
  throw new TypeError('broken');
};

describe('runSteps', () => {
  it('turns a fault into a finding and goes on', async () => {
    const findings = await runSteps(
      [step('a', broken), step('b', async () => Promise.reject(new NetworkFault('reset', 'cut.'))), step('c', good)],
      nothing,
    );
    expect(findings.map(({ state }) => state)).to.deep.equal(['could_not_check', 'could_not_check', 'ready']);
    expect(findings.map(({ what }) => what)).to.deep.equal(['The check itself failed: broken.', 'cut.', 'good.']);
  });

  it('names the step that is depended on', async () => {
    const findings = await runSteps([step('a', bad), step('b', good, ['a']), step('c', good, ['b'])], nothing);
    expect(findings[1]?.what).to.equal('Depends on “Title of a”, which is not ready.');
    expect(findings[2]?.what).to.equal('Depends on “Title of b”, which is not ready.');
  });

  it('gives up a step that hangs, and tells it', async () => {
    let told = false;
    const hang: Step['check'] = (_, signal) =>
      new Promise<Finding>(() => {
        signal.addEventListener('abort', () => {
          told = true;
        });
      });
    const [finding] = await runSteps([step('a', hang, [], 50)], nothing);
    expect(finding).to.include({ state: 'could_not_check', what: 'No answer within 0.05 seconds.' });
    expect(told).to.equal(true);
  });

  it('runs what is independent side by side', async () => {
    let running = 0;
    let most = 0;
    const slow: Step['check'] = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running -= 1;
      return readyFinding('slow.');
    };
    await runSteps(
      ['a', 'b', 'c'].map((id) => step(id, slow)),
      nothing,
    );
    expect(most).to.equal(3);
  });
});

describe('grouped', () => {
  const either = (states: Readonly<Record<string, Finding>>) => {
    const steps = ['g.a', 'g.b', 'g.c'].map((id) => step(id, good));
    const groups: Group[] = [{ id: 'g', title: 'G', steps, options: [['g.a', 'g.b'], ['g.c']] }];
    return grouped(groups, new Map(Object.entries(states)), nothing);
  };

  it('is ready by either option, and leaves the other out of the verdict', () => {
    const results = either({ 'g.a': actionFinding('x', 'y'), 'g.b': readyFinding('x'), 'g.c': readyFinding('x') });
    expect(results[0]?.state).to.equal('ready');
    expect(results[0]?.steps.map(({ relevance }) => relevance)).to.deep.equal(['not_needed', 'not_needed', 'counted']);
    expect(exitOf(results)).to.equal(0);
  });

  it('counts all when neither is ready', () => {
    const results = either({
      'g.a': readyFinding('x'),
      'g.b': actionFinding('x', 'y'),
      'g.c': { state: 'could_not_check', what: 'x' },
    });
    expect(results[0]?.steps.every(({ relevance }) => relevance === 'counted')).to.equal(true);
    expect(exitOf(results)).to.equal(3);
    expect(resultsData(results).state).to.equal('needs_action');
  });

  it('ends with 5 when nothing needs action and something is unknown', () => {
    const unknown = { state: 'could_not_check', what: 'x' } as const;
    expect(exitOf(either({ 'g.a': unknown, 'g.b': readyFinding('x'), 'g.c': unknown }))).to.equal(5);
  });
});

describe('safeLine', () => {
  it('keeps terminals and secrets out', () => {
    expect(safeLine('a\u001b[2J https://ada:pw@forge.example/x\nb')).to.equal('a\ufffd[2J https://forge.example/x b');
    expect(safeLine('ssh://git@forge.example/x')).to.equal('ssh://git@forge.example/x');
  });
});
