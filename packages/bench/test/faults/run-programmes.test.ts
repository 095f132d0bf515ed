import { expect } from 'chai';
import { type FaultProgramme, holds, tookAtMost } from '../../src/faults/fault-programme.js';
import {
  ALL_PROGRAMMES,
  FAULTS_USAGE,
  readFaultArguments,
  reliabilityPage,
  runProgrammes,
} from '../../src/faults/run-programmes.js';

describe('the arguments of a run of programmes', () => {
  it('name none, some or all of them', () => {
    expect(readFaultArguments([]).programmes).to.deep.equal([]);
    expect(readFaultArguments(['--', 'all']).programmes).to.deep.equal(ALL_PROGRAMMES);
    for (const programme of ALL_PROGRAMMES) {
      expect(readFaultArguments([programme.name, '--short'])).to.deep.equal({
        programmes: [programme],
        size: 'short',
        write: false,
      });
      expect(FAULTS_USAGE).to.include(programme.name).and.to.include(programme.title);
    }
  });

  it('must be known, and a short run is not for the page', () => {
    expect(() => readFaultArguments(['earthquake'])).to.throw('No such programme: earthquake.');
    expect(() => readFaultArguments(['--fast'])).to.throw();
    expect(() => readFaultArguments(['all', '--short', '--write'])).to.throw('full runs only');
  });
});

const silent = { begun: () => {}, finished: () => {} };
const programme = (name: string, kept: number): FaultProgramme => ({
  name,
  title: `Title of ${name}`,
  run: async () => ({
    lines: [holds('records kept', `${kept} of 10`, '10', kept === 10), tookAtMost('back again', 1_500, 1_000)],
    remarks: [`Remark of ${name}.`],
  }),
});
const broken: FaultProgramme = { name: 'broken', title: 'Broken', run: () => Promise.reject(new Error('no disk')) };

describe('a run of programmes', () => {
  it('is whole when only a time was missed', async () => {
    const { isWhole, finished } = await runProgrammes([programme('kill', 10)], 'short', silent);
    expect(isWhole).to.equal(true);
    expect(finished).to.have.length(1);
  });

  it('is not whole when something is lost', async () => {
    expect((await runProgrammes([programme('kill', 9)], 'short', silent)).isWhole).to.equal(false);
  });

  it('goes on after a programme that could not be carried out, and is not whole', async () => {
    const outcome = await runProgrammes([broken, programme('kill', 10)], 'short', silent);
    expect(outcome.failures.map(({ name }) => name)).to.deep.equal(['broken']);
    expect(outcome.finished).to.have.length(1);
    expect(outcome.isWhole).to.equal(false);
  });
});

describe('the page about reliability', () => {
  const order = ['kill', 'network'];
  const pageAfter = async (one: FaultProgramme, earlier: string): Promise<string> =>
    reliabilityPage(order, (await runProgrammes([one], 'full', silent)).finished, earlier, null);

  it('shows the measured result of each line beside its aim', async () => {
    const page = await pageAfter(programme('kill', 9), '');
    expect(page).to.include('## Title of kill\n\n| what | measured | aim |');
    expect(page).to.include('| records kept | 9 of 10 | 10 | missed |');
    expect(page).to.include('| back again | 1.50 s | <= 1 s | missed |');
    expect(page).to.include('- Remark of kill.');
    expect(page).to.include('`npm run faults -- kill --write`');
  });

  it('keeps the sections of programmes that were not run, in their order', async () => {
    const first = await pageAfter(programme('network', 10), '');
    const both = await pageAfter(programme('kill', 10), first);
    expect(both.indexOf('Title of kill')).to.be.within(1, both.indexOf('Title of network'));
    expect(await pageAfter(programme('kill', 10), both)).to.equal(both);
  });
});
