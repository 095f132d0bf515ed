import { type FoundRecord, MATCHES, matcherOf, type Stores, searchTextOf } from '@shipworthy/domain';
import { expect } from 'chai';
import { assert, asyncProperty, constantFrom, string } from 'fast-check';
import type { Opened } from './open-stores.js';
import { AWKWARD, MINUTE, NOON } from './sample-records.js';
import { storedIssue, storedProject, storedRelease } from './sample-world.js';

/** Characters that patterns take for something else, that have more than one case, or that lie beside each other. */
const TRICKY = [...`ab AB%_\\*?[]^$.|(){}-+/'"#42ÜüßẞжЖΣσςİiıK𐐀𐐨漢é`] as const;

/** SearchStore. */
export const searchContract = (opened: Opened): void => {
  describe('search', () => {
    const found = async (stores: Stores, projects: readonly { id: string; name: string }[], text: string, limit = 50) =>
      stores.search.find(projects, searchTextOf(text), limit);
    const names = (records: readonly FoundRecord[]) => records.map(({ name, match }) => `${match}: ${name}`);

    it('answers the best matches first, then releases before issues, then the newest', async () => {
      const { stores, again } = opened();
      const { project } = await storedProject(stores);
      const { id } = project;
      const titles = ['Repayment', 'Payment fails', 'Split-payment', 'payment', 'Late payment', 'Nothing of it'];
      for (const [place, title] of titles.entries())
        await storedIssue(stores, id, { title, createdAt: NOON + place * MINUTE });
      await storedRelease(stores, id, { name: 'Payments', state: 'shipped', shippedAt: NOON });
      const older = await storedIssue(stores, id, { title: 'Payment fails', state: 'done', createdAt: NOON - MINUTE });
      const all = await found(again, [project], 'PAYMENT');
      expect(names(all)).to.deep.equal([
        'exact: payment',
        'prefix: Payments',
        'prefix: Payment fails',
        'prefix: Payment fails',
        'word: Late payment',
        'word: Split-payment',
        'part: Repayment',
      ]);
      expect(all[1]).to.include({ kind: 'release', projectId: id, state: 'shipped' });
      expect(all[3]).to.deep.equal({
        kind: 'issue',
        id: older.id,
        projectId: id,
        name: 'Payment fails',
        state: 'done',
        match: 'prefix',
      });
      expect(await found(again, [project], 'PAYMENT', 3)).to.deep.equal(all.slice(0, 3));
      expect(await found(again, [project], 'no such thing')).to.deep.equal([]);
      expect(await found(again, [project], '  ')).to.deep.equal([]);
    });

    it('looks in no other project', async () => {
      const { stores } = opened();
      const [mine, theirs] = [await storedProject(stores), await storedProject(stores)];
      const own = await storedIssue(stores, mine.project.id, { title: 'Aardvark' });
      const other = await storedIssue(stores, theirs.project.id, { title: 'Aardvark' });
      const ids = async (...projects: readonly { id: string; name: string }[]) =>
        (await found(stores, projects, 'aardvark')).map(({ id }) => id);
      expect(await ids(mine.project)).to.deep.equal([own.id]);
      expect(await ids(mine.project, theirs.project)).to.have.members([own.id, other.id]);
      expect(await ids()).to.deep.equal([]);
      expect(await found(stores, [mine.project], other.id)).to.deep.equal([]);
    });

    it('takes several words from the name and that of its project', async () => {
      const { stores } = opened();
      const { project } = await storedProject(stores, { name: 'Checkout for shops' });
      await storedRelease(stores, project.id, { name: '2.4' });
      await storedRelease(stores, project.id, { name: '2.40' });
      await storedIssue(stores, project.id, { title: 'Gift cards for 2.4' });
      expect(names(await found(stores, [project], 'checkout for shops  2.4'))).to.deep.equal([
        'exact: 2.4',
        'prefix: 2.40',
        'word: Gift cards for 2.4',
      ]);
      expect(names(await found(stores, [project], 'gift SHOPS'))).to.deep.equal(['part: Gift cards for 2.4']);
      expect(names(await found(stores, [project], 'shops'))).to.deep.equal([]);
      expect(names(await found(stores, [project], 'gift shopping'))).to.deep.equal([]);
    });

    it('knows ids, and the numbers of issues at their host', async () => {
      const { stores } = opened();
      const { project } = await storedProject(stores);
      const release = await storedRelease(stores, project.id, { name: 'First' });
      const url = 'https://example.org/issues/42';
      const issue = await storedIssue(stores, project.id, { title: 'Login', url });
      await storedIssue(stores, project.id, { title: 'Other', url: 'https://example.org/issues/142' });
      await storedIssue(stores, project.id, { title: 'Answer 42' });
      expect(names(await found(stores, [project], '#42'))).to.deep.equal(['exact: Login']);
      expect(names(await found(stores, [project], '42'))).to.deep.equal(['exact: Login', 'word: Answer 42']);
      expect((await found(stores, [project], issue.id.toUpperCase())).map(({ id }) => id)).to.deep.equal([issue.id]);
      expect((await found(stores, [project], release.id)).map(({ id }) => id)).to.deep.equal([release.id]);
    });

    it('answers of any text what the rule of matching says', async () => {
      const { stores } = opened();
      const projects = [
        (await storedProject(stores, { name: 'Übung [a-z]* 100%' })).project,
        (await storedProject(stores, { name: 'a ж' })).project,
      ];
      const titles = [
        AWKWARD,
        '100%',
        '100 percent',
        'a_b',
        'axb',
        'Überall ΣΊΣΥΦΟΣ',
        'ÜBERALL σίσυφος',
        'Straße STRASSE',
        'жук ЖУК Жук',
        '[a-z]* (b|c)? ^d$ {2} e+ \\w',
        'Kelvin K, İstanbul ıI',
        '𐐀𐐨 Deseret',
        'a\tb'.replace('\t', ' '),
        '漢字',
        '] [ ^ - !',
        '#42',
      ];
      const added = projects.flatMap(({ id, name }) =>
        titles.map(async (title) => ({ ...(await storedIssue(stores, id, { title })), project: name })),
      );
      const issues = await Promise.all(added);
      const expectRule = async (entered: string): Promise<void> => {
        const text = searchTextOf(entered);
        const matchOf = matcherOf(text);
        const byRule = issues.flatMap(({ id, title: name, url, project }) => {
          const match = matchOf(project)({ id, name, key: null, url });
          return match === undefined ? [] : [{ id, match }];
        });
        const answered = (await stores.search.find(projects, text, 50)).map(({ id, match }) => ({ id, match }));
        expect(answered, entered).to.have.deep.members(byRule);
        const places = answered.map(({ match }) => MATCHES.indexOf(match));
        expect(places).to.deep.equal([...places].sort());
      };
      for (const entered of [
        ...titles,
        'übung [A-Z]* 100% a_',
        'ÜBUNG b',
        'A Ж жук',
        'b ж',
        'überALL',
        'σίσυφοσ',
        'straße',
        'ЖУК',
        '100%',
        '_',
        '%',
        '\\',
        '*',
        '?',
        '[',
        ']',
      ])
        await expectRule(entered);
      const text = string({ unit: constantFrom(...TRICKY), minLength: 1, maxLength: 6 });
      await assert(asyncProperty(text, expectRule), { numRuns: 150 });
    });
  });
};
