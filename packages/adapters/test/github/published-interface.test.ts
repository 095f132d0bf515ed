import { expect } from 'chai';
import { conformsToInterface, publishedExample } from './published-interface.js';

const MILESTONES = { method: 'GET', path: '/repos/acme/shop/milestones', status: 200 };
const milestones = (): Record<string, unknown>[] =>
  publishedExample('GET', MILESTONES.path) as Record<string, unknown>[];

describe('the published interface', () => {
  it('has nothing against its own example', () => {
    conformsToInterface({ ...MILESTONES, query: { state: 'all', per_page: '100' }, body: milestones() });
  });

  it('refuses paths, methods, parameters and statuses that are not published', () => {
    const body = milestones();
    expect(() => conformsToInterface({ ...MILESTONES, path: '/repositories/1/milestones', body })).to.throw('no /repo');
    expect(() => conformsToInterface({ ...MILESTONES, method: 'PUT', body })).to.throw('no PUT');
    expect(() => conformsToInterface({ ...MILESTONES, query: { color: 'red' }, body })).to.throw('no parameter color');
    expect(() => conformsToInterface({ ...MILESTONES, query: { state: 'open' }, status: 418, body })).to.throw('418');
  });

  it('refuses values of another kind in requests and answers', () => {
    expect(() => conformsToInterface({ ...MILESTONES, query: { page: '"one"' }, body: milestones() })).to.throw('page');
    const [first] = milestones();
    expect(() => conformsToInterface({ ...MILESTONES, body: [{ ...first, number: '1' }] })).to.throw('/0/number');
    expect(() => conformsToInterface({ ...MILESTONES, body: [{ ...first, due_on: 'soon' }] })).to.throw('/0/due_on');
    const { title: _, ...untitled } = first ?? {};
    expect(() => conformsToInterface({ ...MILESTONES, body: [untitled] })).to.throw('title');
    conformsToInterface({ ...MILESTONES, body: [{ ...first, due_on: null, closed_at: null }] });
  });
});
