import { expect } from 'chai';
import { matchAppName, unmatchedAmong } from '../src/match-app-name.js';
import { principal } from './access/principal-of.js';
import { projectAt } from './attribution/project-at.js';
import { refusal } from './refusal.js';

const who = { principal: principal({ t1: 'member', t2: 'member', t3: 'viewer' }), needs: 'member' } as const;
const shop = projectAt();
const twin = projectAt({}, 'p2', 't2');
const hidden = projectAt({}, 'p9', 't9');
const asked = { appName: 'Shop', projectId: null };
const name = (projectId: string, current: string, was = current) => ({ projectId, name: was, currentName: current });

describe('Matching app_name to a project', () => {
  it('takes the one in sight that bears the name', () => {
    expect(matchAppName(who, asked, [hidden, shop])).to.equal(shop);
  });
  it('finds none out of sight', () => {
    expect(matchAppName(who, asked, [hidden])).to.equal(undefined);
  });
  it('refuses two in sight and lists both, none else', () => {
    const { details, message } = refusal(() => matchAppName(who, asked, [shop, twin, hidden]), 'ambiguous-app-name');
    expect(message).to.equal('2 projects are named Shop; say which by project_id.');
    expect(details).to.deep.equal({
      candidates: [
        { id: 'p1', name: 'Shop', team_id: 't1' },
        { id: 'p2', name: 'Shop', team_id: 't2' },
      ],
    });
  });
  it('lets project_id decide between two', () => {
    expect(matchAppName(who, { ...asked, projectId: 'p2' }, [shop, twin])).to.equal(twin);
  });
  it('does not let project_id reach out of sight', () => {
    expect(matchAppName(who, { ...asked, projectId: 'p9' }, [shop, hidden])).to.equal(undefined);
  });
  it('needs its role in the project’s team', () => {
    refusal(() => matchAppName(who, asked, [projectAt({}, 'p3', 't3')]), 'forbidden');
  });
});

describe('A name that matches no project', () => {
  it('is answered with the nearest in sight', () => {
    const error = unmatchedAmong([name('p1', 'Shop'), name('p2', 'Billing')])({ appName: 'Shpo', projectId: null });
    expect(error.code).to.equal('unknown-app-name');
    expect(error.details).to.deep.equal({ nearest: ['Shop', 'Billing'] });
    expect(error.message).to.contain('The nearest: Shop, Billing.');
    expect(unmatchedAmong([])(asked).message).to.equal('No project in sight is named Shop.');
  });
  it('is answered with hints for the first five of many', () => {
    const unmatched = unmatchedAmong([name('p1', 'Shop')]);
    const nearest = (appName: string) => unmatched({ appName, projectId: null }).details.nearest;
    for (const each of ['a', 'b', 'c', 'a', 'd', 'e']) expect(nearest(each)).to.deep.equal(['Shop']);
    for (const each of ['f', 'g']) expect(nearest(each)).to.deep.equal([]);
    expect(nearest('e')).to.deep.equal(['Shop']);
    expect(unmatched({ appName: 'f', projectId: null }).message).to.equal('No project in sight is named f.');
  });
  it('is answered with the new name when it is a former one', () => {
    const error = unmatchedAmong([name('p1', 'Store'), name('p1', 'Store', 'Shop'), name('p2', 'Shot')])(asked);
    expect(error.code).to.equal('unknown-app-name');
    expect(error.details).to.deep.equal({ renamed_to: 'Store', nearest: ['Store'] });
    expect(error.message).to.contain('Store');
  });
  it('is a mismatch when project_id names a project of another name', () => {
    const error = unmatchedAmong([name('p1', 'Store'), name('p1', 'Store', 'Shop')])({ ...asked, projectId: 'p1' });
    expect(error.code).to.equal('app-name-mismatch');
    expect(error.details).to.deep.equal({ name: 'Store' });
    expect(error.message).to.equal('That project is named Store, not Shop.');
  });
  it('is a fault at /project_id when that is out of sight', () => {
    const error = unmatchedAmong([name('p1', 'Shop')])({ ...asked, projectId: 'p9' });
    const message = 'project_id names no project in sight.';
    expect(error.details.faults).to.deep.equal([{ pointer: '/project_id', code: 'unknown-project', message }]);
  });
});
