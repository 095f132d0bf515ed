import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type * as Engine from '@shipworthy/domain/readiness';
import { expect } from 'chai';
import { readDocument, root } from './documents.js';
import { applyEdit } from './edits.js';

const { blocks } = readDocument('docs/how-to/add-an-axis.md');
const NAMING = 'packages/domain/src/readiness/axis.ts';

/** Compiles the copy; what the compiler says about it. */
const compile = async (folder: string, emit: boolean): Promise<string> => {
  const outDir = join(folder, 'dist');
  const compilerOptions = {
    rootDir: 'packages/domain/src',
    outDir,
    noEmit: !emit,
    composite: false,
    declaration: false,
  };
  const config = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: { ...compilerOptions, declarationMap: false },
    include: ['packages/domain/src/readiness'],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', '.', '--pretty', 'false'], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error);
  return stdout;
};

describe('the how-to of a further axis', function () {
  this.timeout(60_000);
  let folder: string;
  let engine: typeof Engine;

  /** A release of which all is known and good but its pages, as a program of six axes hands it in. */
  const facts = (passed: number, total: number): Engine.ReleaseFacts => {
    const five = {
      scope: { done: 12, total: 12 },
      quality: { resolved: 0, total: 0, open: { critical: 0, major: 0, minor: 0, unspecified: 0 } },
      ops: { done: 3, total: 3, openItems: [] },
      verification: { passed: 9, total: 9, ranAt: 0, suite: null, commitSha: null, runs: 1 },
      stability: { succeeded: 20, failed: 0, inProgress: 0 },
    };
    return Object.assign(five, { accessibility: { passed, total } });
  };
  const judge = (passed: number, total: number, changes: Partial<Engine.Policy> = {}) =>
    engine.assessRelease(facts(passed, total), { ...engine.DEFAULT_POLICY, ...changes }, 0);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'add-an-axis-'));
    await cp(join(root, 'packages/domain/src'), join(folder, 'packages/domain/src'), { recursive: true });
  });
  after(() => rm(folder, { recursive: true }));

  it('names the places where the compiler stops once there is a name', async () => {
    const steps = blocks.filter(({ language }) => language === 'diff');
    const [naming] = steps;
    if (naming === undefined) return expect.fail('it says nothing');
    expect(naming.about).to.equal(NAMING);
    await applyEdit(folder, naming);
    const stops = [...(await compile(folder, false)).matchAll(/^(\S+?)\(\d+,/gm)].map(([, file]) => file);
    expect(stops).to.have.length.greaterThan(5);
    expect(steps.map(({ about }) => about)).to.include.members(stops);
  });

  it('compiles once all is done', async () => {
    for (const block of blocks.filter(({ about }) => about !== NAMING)) await applyEdit(folder, block);
    expect(await compile(folder, true)).to.equal('');
    engine = (await import(pathToFileURL(join(folder, 'dist/readiness/index.js')).href)) as typeof Engine;
    expect(engine.AXES).to.have.length(6);
  });

  it('holds a release whose new axis is below its minimum, and says what is least to be done', () => {
    const { gate, score, coverage } = judge(1, 10, { threshold: 0 });
    expect({ decision: gate.decision, score, coverage }).to.deep.equal({ decision: 'hold', score: 85, coverage: 1 });
    expect(gate.reasons).to.have.length(1);
    expect(gate.reasons[0]).to.include({ code: 'axis_below_minimum', axis: 'accessibility', actual: 10, required: 90 });
    expect(gate.nextSteps).to.have.length(1);
    expect(gate.nextSteps[0]).to.include({ axis: 'accessibility', action: 'fix_pages', count: 8, gain: 13.33 });
  });

  it('does not know whether a release may ship whose new axis is required and not measured', () => {
    const { gate, score, coverage } = judge(0, 0);
    expect({ decision: gate.decision, score, coverage }).to.deep.equal({
      decision: 'unknown',
      score: 100,
      coverage: 5 / 6,
    });
    expect(gate.reasons[0]).to.include({ code: 'axis_unmeasured', axis: 'accessibility' });
    expect(gate.nextSteps[0]).to.include({ axis: 'accessibility', action: 'check_pages', count: 1, gain: null });
  });

  it('lets a release ship whose new axis is measured and good, which counts in its score', () => {
    const { gate, score, axes } = judge(9, 10);
    expect({ decision: gate.decision, score }).to.deep.equal({ decision: 'go', score: 98.33 });
    expect(axes[5]).to.include({ axis: 'accessibility', state: 'measured', score: 90, weight: 1 });
  });

  it('counts it where the score is below the threshold, and where only it has a weight', () => {
    const steps = judge(0, 10, {
      minimums: { ...engine.DEFAULT_POLICY.minimums, ...{ accessibility: 0 } },
      threshold: 90,
    });
    expect(steps.gate.reasons[0]).to.include({ code: 'score_below_threshold', actual: 83.33 });
    expect(steps.gate.nextSteps[0]).to.include({ action: 'fix_pages', count: 4 });
    const weights = { scope: 0, quality: 0, ops: 0, verification: 0, stability: 0, ...{ accessibility: 1 } };
    expect(judge(10, 10, { weights }).gate.decision).to.equal('go');
    expect(judge(0, 0, { weights, requiredAxes: [] }).gate).to.deep.include({ decision: 'unknown' });
  });

  it('yields go by all steps, for any number of pages', () => {
    for (let total = 0; total < 12; total += 1)
      for (let passed = 0; passed <= total; passed += 1) {
        const { gate } = judge(passed, total);
        const after = engine.factsAfter(facts(passed, total), gate.nextSteps, 0);
        expect(engine.assessRelease(after, engine.DEFAULT_POLICY, 0).gate.decision).to.equal('go');
      }
  });

  it('refuses facts without it, and more pages that pass than were checked', () => {
    const { accessibility: _, ...five } = { ...facts(1, 1), accessibility: null };
    expect(() => engine.assessRelease(five, engine.DEFAULT_POLICY, 0)).to.throw(TypeError, '/facts/accessibility: ');
    expect(() => judge(3, 2)).to.throw(TypeError, '/facts/accessibility/passed: ');
  });
});
