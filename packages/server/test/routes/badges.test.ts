import { expect } from 'chai';
import fc from 'fast-check';
import { badgeImage, legible, shownText, textWidth, wireBadge } from '../../src/routes/badges.js';
import { onEveryStore } from '../harness/openings.js';
import { useFreshStage } from '../harness/stage.js';
import { expectWellFormed } from '../service/well-formed-xml.js';

const STRANGE = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';

onEveryStore('badges', (open) => {
  const stage = useFreshStage(open);
  const show = async () => {
    const { data } = (await stage().browser.ok('showBadge', { path: stage().inProject })).body;
    return { ...data, sent: { path: stage().inProject, query: { token: data.token } } };
  };

  it('show the active release to anyone who has the token, as image and for shields.io', async () => {
    const { service, inProject, browser, inRelease } = stage();
    const { token, svg_url, json_url, sent } = await show();
    const at = `${service.baseUrl}/api/teams/${inProject.team_id}/projects/${inProject.project_id}`;
    expect([svg_url, json_url]).to.deep.equal([`${at}/badge.svg?token=${token}`, `${at}/badge.json?token=${token}`]);
    const { body, headers } = await service.anonymous.ok('readBadge', sent);
    const { gate, score } = (await browser.ok('readReadiness', { path: inRelease })).body.data;
    const shown = score === null ? '' : ` ${score.toFixed(1)}`;
    const message = `2.4: ${gate.decision}${shown}, 1 of 5 measured`;
    expect(body).to.deep.include({ schemaVersion: 1, label: 'readiness', message });
    expect(headers).to.include({ 'cache-control': 'no-cache' });
    const image = await service.anonymous.ok('readBadgeImage', sent);
    expect(image.text).to.contain(`<title>readiness: ${message}</title>`);
    expect(image.headers).to.include({ 'cache-control': 'no-cache', 'content-type': 'image/svg+xml; charset=utf-8' });
    const known = { ...sent, headers: { 'if-none-match': image.headers.etag ?? '' } };
    expect((await service.anonymous.ask('readBadgeImage', known)).status).to.equal(304);
    await browser.ok('cancelRelease', { path: inRelease });
    expect((await service.anonymous.ok('readBadge', sent)).body.message).to.equal('no active release');
    expect((await service.anonymous.ask('readBadgeImage', known)).status).to.equal(200);
  });

  it('are not to be told from an unknown project without the right token', async () => {
    const { service, inProject } = stage();
    const before = await service.anonymous.refused('readBadge', 'not-found', { path: inProject });
    const { sent, token } = await show();
    const query = { token };
    const refusals = [
      { path: inProject },
      { path: inProject, query: { token: `${token}x` } },
      { path: { ...inProject, team_id: STRANGE }, query },
      { path: { ...inProject, project_id: STRANGE }, query },
    ];
    for (const refused of refusals)
      for (const id of ['readBadge', 'readBadgeImage'] as const) {
        const { body } = await service.anonymous.refused(id, 'not-found', refused);
        expect(body.detail).to.equal(before.body.detail);
      }
    for (const path of [
      { ...inProject, team_id: 'payments' },
      { ...inProject, project_id: 'x' },
    ])
      await service.anonymous.refused('readBadge', 'not-found', { path, query });
    expect((await service.anonymous.ok('readBadge', sent)).status).to.equal(200);
  });

  it('get another token, upon which the former one ends, and end', async () => {
    const { service, browser, inProject } = stage();
    const [first, second] = [await show(), await show()];
    await service.anonymous.refused('readBadge', 'not-found', first.sent);
    await service.anonymous.ok('readBadge', second.sent);
    for (let times = 0; times < 2; times += 1) await browser.ok('hideBadge', { path: inProject });
    await service.anonymous.refused('readBadge', 'not-found', second.sent);
    const { text, body } = await browser.ok('listAuditEntries', { path: { team_id: inProject.team_id } });
    const deeds = body.data.map(({ action }) => action).filter((action) => action.startsWith('badge'));
    expect(deeds).to.deep.equal(['badge.hide', 'badge.show', 'badge.show']);
    for (const { token } of [first, second]) expect(text).not.to.contain(token);
  });

  it('are known to be shown, and by whom, without their token', async () => {
    const { browser, inProject: path } = stage();
    const state = async () => (await browser.ok('readBadgeState', { path })).body.data;
    expect(await state()).to.deep.equal({ shown: false, shown_at: null, shown_by: null });
    await show();
    const { shown_at, ...rest } = await state();
    expect(rest).to.deep.equal({ shown: true, shown_by: 'Ada' });
    expect(Date.parse(shown_at ?? '')).to.be.greaterThan(0);
    await browser.ok('hideBadge', { path });
    expect((await state()).shown).to.equal(false);
  });

  it('are for owners to show, in a browser', async () => {
    const { world, team, service, pipeline, inProject: path } = stage();
    const grace = await world.person('Grace');
    await world.member(team, grace, 'member');
    await service.signedIn(grace).refused('showBadge', 'forbidden', { path });
    await service.signedIn(grace).refused('hideBadge', 'forbidden', { path });
    await service.signedIn(grace).refused('readBadgeState', 'forbidden', { path });
    await pipeline.refused('showBadge', 'session-only', { path });
    await service.anonymous.refused('showBadge', 'unauthenticated', { path });
  });
});

describe('the image of a badge', () => {
  it('reads itself out and holds nothing from elsewhere', () => {
    const image = badgeImage(wireBadge({ message: '1.0: hold 63.3', decision: 'hold' }));
    expect(image).to.match(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="20" role="img"/);
    expect(image).to.contain('<title>readiness: 1.0: hold 63.3</title>').and.contain('fill="#b42318"');
    expect(image).not.to.match(/<script|<style|style=|href|url\(|@import|onload/i);
  });

  it('takes no markup from a name', () => {
    const image = badgeImage(wireBadge({ message: `"><script>alert('&')</script>: go 90.0`, decision: 'go' }));
    expect(image).not.to.contain('<script').and.not.to.contain(`'&'`);
    expect(image).to.contain('&quot;&gt;&lt;script&gt;');
    expect(image.match(/</g)?.length).to.equal(image.match(/>/g)?.length);
  });

  it('cuts what is long, between characters, and keeps all of it in its title', () => {
    const message = `${'🚀'.repeat(199)}: go`;
    const image = badgeImage(wireBadge({ message, decision: null }));
    expect(image)
      .to.contain(`<title>readiness: ${message}</title>`)
      .and.contain(`${'🚀'.repeat(59)}…: go</text>`);
    expect(image)
      .to.contain('fill="#57606a"')
      .and.not.to.match(/[\ud800-\udbff](?![\udc00-\udfff])/);
  });

  const shownIn = (image: string): string =>
    /<text x="[\d.]+" y="14" textLength="[\d.]+"[^>]*>([^<]*)<\/text><\/g>/.exec(image)?.[1] ?? '';
  const decided = (name: string) => badgeImage(wireBadge({ message: `${name}: hold 63.3`, decision: 'hold' }));

  it('never cuts what is decided, nor a character that is made of several', () => {
    expect(shownIn(decided('漢'.repeat(200)))).to.equal(`${'漢'.repeat(59)}…: hold 63.3`);
    const family = '👩‍👩‍👧';
    expect(shownIn(decided(family.repeat(40)))).to.equal(`${family.repeat(40)}: hold 63.3`);
    expect(shownIn(decided(family.repeat(61)))).to.equal(`${family.repeat(59)}…: hold 63.3`);
    expect(shownIn(decided('e\u0301'.repeat(60)))).to.equal(`${'e\u0301'.repeat(60)}: hold 63.3`);
  });

  it('shows a name from right to left before what is decided, which no name can turn round', () => {
    expect(shownIn(decided('שלום'))).to.equal('\u2068שלום\u2069: hold 63.3');
    expect(shownIn(decided('مرحبا 2'))).to.equal('\u2068مرحبا 2\u2069: hold 63.3');
    const turned = decided('2.4\u202e\u2067');
    expect(shownIn(turned)).to.equal('2.4: hold 63.3');
    expect(turned).not.to.match(/[\u202a-\u202e\u2066-\u2069]/);
  });

  it('has room for wide characters, and no more than is needed for others', () => {
    const width = (name: string): number => Number(/ width="(\d+)"/.exec(decided(name))?.[1]);
    expect(width('漢'.repeat(10)) - width('')).to.be.within(110, 130);
    expect(width('a'.repeat(10)) - width('')).to.be.within(60, 75);
    expect(width('e\u0301\u0302\u0303') - width('e')).to.equal(0);
  });

  it('is XML whose texts lie within it, for any name', () => {
    const odd = fc.constantFrom(
      '<',
      '&',
      '"',
      "'",
      ']]>',
      '<!--',
      '&#0;',
      '\ufffe',
      '\uffff',
      '\u0000',
      '\u202e',
      'א',
      '漢',
      '\u{10ffff}',
    );
    const name = fc.array(fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 200 });
    fc.assert(
      fc.property(name, (parts) => {
        const image = decided(parts.join(''));
        expectWellFormed(image);
        const total = Number(/^<svg [^>]* width="(\d+)"/.exec(image)?.[1]);
        const halves = [
          ...image.matchAll(
            /<rect x="(\d+)" width="(\d+)"[^>]*\/><text x="([\d.]+)" y="14" textLength="(\d+)" lengthAdjust="spacingAndGlyphs">/g,
          ),
        ];
        expect(halves).to.have.lengthOf(2);
        let end = 0;
        for (const [x, width, middle, length] of halves.map((half) => half.slice(1).map(Number))) {
          expect(x).to.equal(end);
          end += width ?? 0;
          expect(length).to.be.above(0);
          expect((middle ?? 0) - (length ?? 0) / 2).to.be.at.least(x ?? 0);
          expect((middle ?? 0) + (length ?? 0) / 2).to.be.at.most(end);
        }
        expect(end).to.equal(total);
        expect(shownIn(image)).to.match(/: hold 63\.3$/);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the text of a badge', () => {
  it('holds what XML may hold, and no control of direction', () => {
    expect(legible('2.4\u0000\ufffe\uffff\ud800')).to.equal('2.4\ufffd\ufffd\ufffd\ufffd');
    expect(legible('a\u202eb\u2066c\u2069 \u{1f680}')).to.equal('abc \u{1f680}');
  });

  it('keeps the decision, after any text', () => {
    const name = 'n'.repeat(61);
    const partly = [': unknown, 0 of 5 measured', ': hold 63.3, 4 of 5 measured'];
    const waived = [': go with 1 waiver 45.0, 2 of 5 measured', ': hold with 12 waivers 91.0'];
    for (const decision of [': go 90.0', ': hold 0.0', ': unknown', ': go 100.0', ...partly, ...waived])
      expect(shownText(`${name}${decision}`)).to.equal(`${name.slice(0, 59)}…${decision}`);
    expect(shownText(': go 1.0: hold 63.3')).to.equal(': go 1.0: hold 63.3');
    expect(shownText('שלום: go with 1 waiver 45.0')).to.equal('\u2068שלום\u2069: go with 1 waiver 45.0');
    expect(shownText('no active release')).to.equal('no active release');
  });

  it('is as wide as its characters, marks and joiners taking no room', () => {
    expect(textWidth('')).to.equal(0);
    expect(textWidth('2.4')).to.be.closeTo(3 * 6.6, 1e-9);
    expect(textWidth('e\u0301\u200d')).to.equal(6.6);
    expect(textWidth('漢字🚀')).to.equal(36);
    expect(textWidth('שלום')).to.equal(32);
  });
});
