import { expect } from 'chai';
import * as say from '../../src/readiness/step-messages.js';
import { checklist, HOUR, NOW, policy, ready, testRun } from './sample-release.js';

describe('the messages of next steps', () => {
  it('tell one from several', () => {
    expect(say.closeIssuesMessage(1, false)).to.equal('Close 1 more issue');
    expect(say.closeIssuesMessage(2, false)).to.equal('Close 2 more issues');
    expect(say.resolveBugsMessage(1, false)).to.equal('Resolve 1 more bug');
    expect(say.resolveBugsMessage(2, true)).to.equal('Resolve 2 more bugs, critical ones included');
    expect(say.fixTestsMessage(1, 40)).to.equal('Make 1 more test pass, with 40 run in total');
  });

  it('name all open items where all must be ticked, and say how many of them otherwise', () => {
    expect(say.tickItemsMessage(1, checklist(2, 3))).to.equal('Tick 1 checklist item: Item 1');
    expect(say.tickItemsMessage(1, checklist(1, 3))).to.equal('Tick 1 of 2 open checklist items: Item 1, Item 2');
  });

  it('name up to 20 open items, then how many more there are', () => {
    const many = say.tickItemsMessage(25, checklist(0, 25));
    expect(many).to.match(/^Tick 25 checklist items: Item 1, Item 2, .*, Item 20 and 5 more$/);
    const given = { ...checklist(0, 22), openItems: Array.from({ length: 22 }, (_, index) => `No ${index + 1}`) };
    expect(say.tickItemsMessage(22, given)).to.match(/, No 20 and 2 more$/);
    expect(say.tickItemsMessage(20, checklist(0, 20))).to.match(/, Item 20$/);
    expect(say.tickItemsMessage(2, { done: 0, total: 2, openItems: [] })).to.equal('Tick 2 checklist items');
  });

  it('name which open items await an owner', () => {
    const mark = { reason: 'Texts only', markedBy: 'Ben', markedAt: 1, confirmedBy: null };
    const notApplicable = [
      { ...mark, title: 'Item 2', confirmed: false },
      { ...mark, title: 'Item 1', confirmed: true },
    ];
    expect(say.tickItemsMessage(2, { ...checklist(1, 3), notApplicable })).to.equal(
      'Tick 2 checklist items: Item 1, Item 2 (marked not applicable, awaits an owner)',
    );
  });

  it('say why a new test run is needed', () => {
    const rules = policy({ freshnessHours: 24 });
    const old = { ranAt: NOW - 90 * HOUR };
    expect(say.recordRunMessage(ready({ verification: testRun(1, 1, old) }), rules)).to.equal(
      'Record a test run in which every test passes: the latest one is older than 24 hours',
    );
    expect(say.recordRunMessage(ready({ verification: testRun(1, 1, { ...old, runs: 3 }) }), rules)).to.equal(
      'Record a test run in which every test passes for each suite whose latest one is older than 24 hours',
    );
    const soon = policy({ freshnessHours: 0.5 });
    expect(say.recordRunMessage(ready({ verification: testRun(1, 1, old) }), soon)).to.match(/older than 30 minutes$/);
    expect(say.recordRunMessage(ready({ verification: null }), rules)).to.equal(
      'Record a test run in which every test passes',
    );
  });

  it('say what an axis without issues or items needs', () => {
    expect(say.addIssuesMessage('scope')).to.equal('Add at least 1 issue to the release and close it');
    expect(say.addIssuesMessage('quality')).to.contain('nothing is known about bugs');
    expect(say.addItemsMessage()).to.equal('Add at least 1 item to the launch checklist and tick it');
  });
});
