import { expect } from 'chai';
import type { WorldCount } from '../../src/host/repository.js';
import type { Query } from '../../src/read-back.js';
import { type LinkedProject, requireCountedScope, requireImportedOnce } from '../../src/subject/linked-repository.js';
import type { SignedInPerson } from '../../src/subject/shipworthy.js';

const world: WorldCount = { issues: 3, deployments: 2, milestones: [{ title: '1.0', done: 1, total: 2 }] };
const project: LinkedProject = {
  id: 'one',
  path: '/p',
  link: () => Promise.resolve(0),
  importAgain: () => Promise.resolve(),
};
const failure = (check: Promise<unknown>): Promise<string> => check.then(() => 'nothing was found wrong', String);

const stored =
  (counts: { readonly [table: string]: readonly [number, number] }): Query =>
  async (sql) => {
    const [rows, names] = counts[/from (\w+)/.exec(sql)?.[1] ?? ''] ?? [0, 0];
    return [{ stored: rows, names }];
  };

const reader = (releases: readonly string[], done: number): SignedInPerson => {
  const facts = { done, total: 2 };
  const get = async (path: string): Promise<unknown> =>
    path.endsWith('/readiness') ? { axes: [{ axis: 'scope', facts }] } : releases.map((name) => ({ id: name, name }));
  const none = () => Promise.reject(new Error('only reads'));
  return { get: get as SignedInPerson['get'], post: none, put: none, visit: none, cookies: [] };
};

describe('reading an import back', () => {
  it('accepts every row once, under a name of its own', async () => {
    await requireImportedOnce(stored({ issues: [3, 3], deployments: [2, 2] }), 'one', world);
  });

  it('finds a lost and a doubled row', async () => {
    const lost = requireImportedOnce(stored({ issues: [2, 2], deployments: [2, 2] }), 'one', world);
    expect(await failure(lost)).to.include('Stored issues: 2 instead of 3');
    const doubled = requireImportedOnce(stored({ issues: [3, 3], deployments: [2, 1] }), 'one', world);
    expect(await failure(doubled)).to.include('Different deployments: 1 instead of 2');
  });

  it('compares releases and their scope with the milestones', async () => {
    await requireCountedScope(reader(['1.0'], 1), project, world);
    expect(await failure(requireCountedScope(reader(['1.0'], 2), project, world))).to.include(
      '2 of 2 instead of 1 of 2',
    );
    expect(await failure(requireCountedScope(reader(['2.0'], 1), project, world))).to.include(
      'There is no release 1.0',
    );
    expect(await failure(requireCountedScope(reader([], 1), project, world))).to.include('Releases: 0 instead of 1');
  });
});
