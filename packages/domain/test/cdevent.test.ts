import { expect } from 'chai';
import fc from 'fast-check';
import {
  deploymentOfEvent,
  EVENT_POINTERS,
  possibleProjectNames,
  projectNotFoundForEvent,
  readArtifact,
  refusalInEvent,
  scopeOfKind,
  serviceName,
  sourcesOf,
  testRunOfEvent,
  usedKind,
} from '../src/cdevent.js';
import { DomainError, invalid } from '../src/errors.js';
import { COMMIT, serviceEvent, suiteRunEvent } from './cdevent/event-of.js';
import { pointers, refusal } from './refusal.js';

describe('The kind of a CDEvent', () => {
  it('is that of its type, for any version', () => {
    for (const version of ['0.1.1', '0.2.0', '0.3.0-draft', '1.0.0'])
      expect(usedKind(`dev.cdevents.service.deployed.${version}`), version).to.equal('service.deployed');
    expect(usedKind('dev.cdevents.service.upgraded')).to.equal('service.upgraded');
    expect(usedKind('dev.cdevents.service.rolledback.0.2.0')).to.equal('service.rolledback');
    expect(usedKind('dev.cdevents.testsuiterun.finished.0.2.0')).to.equal('testsuiterun.finished');
  });
  it('is none for every other type', () => {
    for (const type of [
      'dev.cdevents.service.removed.0.2.0',
      'dev.cdevents.testsuiterun.started.0.2.0',
      'dev.cdevents.service.deployedtwice.0.2.0',
      'dev.cdeventsx.tool-service.deployed.0.1.0',
      'com.example.service.deployed.0.2.0',
      '',
    ])
      expect(usedKind(type), type).to.equal(null);
  });
  it('decides the scope a key needs', () => {
    expect(scopeOfKind('service.rolledback')).to.equal('deployments:write');
    expect(scopeOfKind('testsuiterun.finished')).to.equal('test-runs:write');
  });
});

const fault = (pointer: string, message: string) => ({ pointer, code: 'in-future', message });

describe('A refusal in the words of an event', () => {
  it('points into the event, at the place it has in what was sent, and names what two fields share once', () => {
    const refusal = invalid([
      fault('/started_at', 'started_at lies ahead.'),
      fault('/finished_at', 'finished_at lies ahead.'),
      fault('/subject/id', 'subject.id is odd.'),
      fault('/total', 'passed and failed together exceed total.'),
    ]);
    const { code, message, details } = refusalInEvent(refusal, EVENT_POINTERS, '/data');
    expect(details.faults).to.deep.equal([
      { pointer: '/data/context/timestamp', code: 'in-future', message: 'context.timestamp lies ahead.' },
      { pointer: '/data/subject/id', code: 'in-future', message: 'subject.id is odd.' },
      { pointer: '/data/customData/total', code: 'in-future', message: 'passed and failed together exceed total.' },
    ]);
    expect(code).to.equal('invalid');
    expect(message).to.equal(
      'context.timestamp lies ahead.; subject.id is odd.; passed and failed together exceed total.',
    );
  });
  it('says where the name was read that no project has, and keeps the nearest ones', () => {
    const unknown = new DomainError('unknown-app-name', 'No project is named Shoop.', { nearest: ['Shop'] });
    const refusal = refusalInEvent(unknown, { '/app_name': '/subject/id' }, '');
    expect(refusal.message).to.equal('No project is named Shoop.');
    expect(refusal.details).to.deep.equal({
      nearest: ['Shop'],
      faults: [{ pointer: '/subject/id', code: 'unknown-app-name', message: 'No project is named Shoop.' }],
    });
  });
  it('leaves a refusal that is about no field as it is', () => {
    const refusal = new DomainError('no-active-release', 'None is active.');
    expect(refusalInEvent(refusal, EVENT_POINTERS, '/data')).to.equal(refusal);
  });
});

const SHORT = '9fceb02';
const DIGEST = '0b'.repeat(32);
const repository = encodeURIComponent(`git+https://github.com/acme/shop@${COMMIT}`);

describe('A package URL', () => {
  const cases: readonly (readonly [purl: string, version: string | null, commitSha: string | null])[] = [
    [`pkg:github/acme/shop@${COMMIT}`, COMMIT, COMMIT],
    [`pkg:golang/acme.dev/shop@${SHORT}#cmd/shop`, SHORT, SHORT],
    [`pkg:github/acme/shop@${COMMIT.toUpperCase()}`, COMMIT.toUpperCase(), COMMIT],
    [`pkg:npm/%40acme/shop@2.4.1?vcs_url=${repository}`, '2.4.1', COMMIT],
    [`pkg:npm/@acme/shop?commit=${SHORT}`, null, SHORT],
    [
      `pkg:oci/shop@sha256%3A${'0b'.repeat(32)}?repository_url=ghcr.io/acme&commit=${SHORT}&tag=2.4.1`,
      `sha256:${'0b'.repeat(32)}`,
      SHORT,
    ],
    [`pkg:oci/shop@sha256%3A${DIGEST}`, `sha256:${DIGEST}`, DIGEST],
    [`pkg:oci/shop@sha256:${DIGEST.toUpperCase()}?tag=2.4.1`, `sha256:${DIGEST.toUpperCase()}`, DIGEST],
    [`pkg:docker/shop@sha256%3A${DIGEST.slice(0, 40)}`, `sha256:${DIGEST.slice(0, 40)}`, null],
    [`pkg:oci/shop@sha512%3A${DIGEST.repeat(2)}`, `sha512:${DIGEST.repeat(2)}`, null],
    [`pkg:generic/shop@2.4.1?checksum=sha1:${COMMIT},sha256:${DIGEST}`, '2.4.1', DIGEST],
    [`pkg:generic/shop@${SHORT}?checksum=sha256:${DIGEST}`, SHORT, SHORT],
    ['pkg:generic/shop@2.4.1?vcs_url=git%2Bssh%3A%2F%2Fgit%40github.com%2Facme%2Fshop', '2.4.1', null],
    [`pkg:generic/shop?vcs_url=git%40acme.dev%3Ashop%40${SHORT}%23cmd%2Fa%40b%0A`, null, SHORT],
    [`pkg:generic/shop?vcs_url=${`%40${SHORT}%23`.repeat(500)}%0A`, null, SHORT],
    [`pkg:generic/shop?vcs_url=shop%40${SHORT}%2Fcmd`, null, null],
    ['pkg:generic/shop@20261120', '20261120', null],
    [`pkg:generic/shop@${'1'.repeat(40)}`, '1'.repeat(40), '1'.repeat(40)],
    ['pkg:generic/shop@%zz', '%zz', null],
    ['pkg:generic/shop@%00', null, null],
    [`pkg:generic/shop@${'x'.repeat(201)}`, null, null],
    ['pkg:generic/shop', null, null],
    [`https://acme.dev/shop@${COMMIT}`, null, null],
  ];
  for (const [purl, version, commitSha] of cases)
    it(`${purl.slice(0, 60)} says version ${version?.slice(0, 20)}, commit or digest ${commitSha?.slice(0, 7)}`, () => {
      expect(readArtifact(purl)).to.deep.equal({ version, commitSha });
    });

  it('never yields a commit or version that a deployment could not have', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (name, behind, query) => {
        const { version, commitSha } = readArtifact(`pkg:x/${name}@${behind}?commit=${query}&vcs_url=@${query}`);
        if (version !== null) expect([...version].length).to.be.within(1, 200);
        if (commitSha !== null) expect(commitSha).to.match(/^[0-9a-f]{7,64}$/);
      }),
    );
  });
});

describe('The version in a package URL', () => {
  it('is none where it shows nothing, or another order or line than it has', () => {
    for (const text of ['1\u202e2', '1\u20662', '1\u20282', '1\u00002', ' ', '\u200b', '\u2800', ' 1', 'x'.repeat(201)])
      expect(readArtifact(`pkg:x/shop@${encodeURIComponent(text)}`).version, JSON.stringify(text)).to.equal(null);
    for (const text of ['1.0 beta', '\u05d0\u05d1', '\u{1f680}'.repeat(200)])
      expect(readArtifact(`pkg:x/shop@${encodeURIComponent(text)}`).version).to.equal(text);
  });
});

describe('The deployment of a service event', () => {
  it('ends at once, with the event’s source as deployer', () => {
    const event = serviceEvent();
    expect(deploymentOfEvent(event)).to.deep.equal({
      environment: 'production',
      commitSha: COMMIT,
      version: COMMIT,
      deployedBy: '/ci/acme',
      status: 'success',
      isReturn: false,
      url: null,
      startedAt: event.at,
      finishedAt: event.at,
      durationSeconds: null,
      external: event.external,
    });
  });
  it('is a success of the artifact it names, and a return when that was rolled back to', () => {
    const made = (kind: 'service.deployed' | 'service.upgraded' | 'service.rolledback') => {
      const { status, isReturn } = deploymentOfEvent(serviceEvent({ kind }));
      return { status, isReturn };
    };
    expect(made('service.deployed')).to.deep.equal({ status: 'success', isReturn: false });
    expect(made('service.upgraded')).to.deep.equal({ status: 'success', isReturn: false });
    expect(made('service.rolledback')).to.deep.equal({ status: 'success', isReturn: true });
  });
  it('takes what custom data says before what is read from the artifact', () => {
    const report = deploymentOfEvent(serviceEvent({ commitSha: 'abcdef0' }));
    expect(report).to.include({ commitSha: 'abcdef0', version: COMMIT });
  });
  it('leaves out a sender too long for a label', () => {
    expect(deploymentOfEvent(serviceEvent({ source: 'x'.repeat(201) })).deployedBy).to.equal(null);
  });
  it('uses the digest of an image where no commit is named', () => {
    const digest = '0b'.repeat(32);
    const report = deploymentOfEvent(serviceEvent({ artifactId: `pkg:oci/shop@sha256%3A${digest}` }));
    expect(report).to.include({ commitSha: digest, version: `sha256:${digest}` });
  });
  it('is refused with neither commit nor digest, and says what to add', () => {
    for (const artifactId of [null, 'pkg:oci/shop@2.4.1']) {
      const { details, message } = refusal(() => deploymentOfEvent(serviceEvent({ artifactId })), 'invalid');
      expect(pointers(details.faults)).to.deep.equal(['/customData/commit_sha']);
      expect(message)
        .to.match(/^customData\.commit_sha is required/)
        .and.to.contain('sha256:');
    }
  });
});

describe('The name of a service', () => {
  it('is the last part of its id that says something', () => {
    for (const subjectId of ['service/Shop', '/ns/Shop/', 'Shop'])
      expect(serviceName(serviceEvent({ subjectId }))).to.equal('Shop');
  });
  it('is none where no project can be named so', () => {
    for (const subjectId of ['', '//', 'x'.repeat(201)])
      expect(serviceName(serviceEvent({ subjectId }))).to.equal(null);
  });
});

describe('The sources of an event', () => {
  it('are its own, that of its subject, and the id of its suite or its service, each once', () => {
    const event = suiteRunEvent({ source: '/ci', subjectSource: '/ci/shop', suiteId: 'unit', suite: 'Unit tests' });
    expect(sourcesOf(event)).to.deep.equal(['/ci', '/ci/shop', 'unit']);
    expect(sourcesOf(serviceEvent({ source: '/ci', subjectSource: '/ci' }))).to.deep.equal(['/ci', 'service/Shop']);
    expect(sourcesOf(suiteRunEvent({ suiteId: null }))).to.deep.equal(['/ci/acme']);
  });
  it('leave out what is too long to be set for a project', () => {
    const event = suiteRunEvent({ source: 'x'.repeat(501), subjectSource: 'x'.repeat(500), suiteId: null });
    expect(sourcesOf(event)).to.deep.equal(['x'.repeat(500)]);
  });
});

describe('The names of an event', () => {
  it('are the id and name of its suite and the ends of its sources', () => {
    const event = suiteRunEvent({
      source: '/ci/acme',
      subjectSource: '/ci/Shop',
      suiteId: 'unit',
      suite: 'Unit tests',
    });
    expect(possibleProjectNames(event)).to.deep.equal(['unit', 'Unit tests', 'Shop', 'acme']);
    expect(possibleProjectNames(serviceEvent())).to.deep.equal(['acme']);
  });
  it('come from the path alone, decoded', () => {
    const end = (source: string) => possibleProjectNames(serviceEvent({ source }));
    expect(end('https://ci.acme.dev/acme/My%20Shop/?run=1#step')).to.deep.equal(['My Shop']);
    expect(end('//ci.acme.dev/Shop')).to.deep.equal(['Shop']);
    expect(end('https://ci.acme.dev')).to.deep.equal([]);
    expect(end('/ci/%zz')).to.deep.equal(['%zz']);
    expect(end('Shop')).to.deep.equal(['Shop']);
    expect(end(`/ci/${'x'.repeat(201)}`)).to.deep.equal([]);
    expect(end(`/ci/${'𝄞'.repeat(200)}`)).to.have.length(1);
    expect(end('/ci/a%00')).to.deep.equal([]);
  });
  it('are names a project may have, for any input', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (source, subjectSource, suite) => {
        for (const name of possibleProjectNames(suiteRunEvent({ source, subjectSource, suite, suiteId: suite })))
          expect([...name].length).to.be.within(1, 200);
      }),
    );
  });
});

describe("The test run of a suite's event", () => {
  it('counts as one test where the tests were not counted', () => {
    const countsOf = (outcome: 'pass' | 'fail' | 'error') => {
      const report = testRunOfEvent(suiteRunEvent({ outcome }));
      return [report?.total, report?.passed, report?.failed];
    };
    expect(countsOf('pass')).to.deep.equal([1, 1, 0]);
    expect(countsOf('fail')).to.deep.equal([1, 0, 1]);
    expect(countsOf('error')).to.deep.equal([1, 0, 0]);
  });
  for (const outcome of ['fail', 'error'] as const)
    it(`has one error more where every test passed and the outcome is ${outcome}`, () => {
      const counts = { total: 412, passed: 412, failed: 0, skipped: 3 };
      expect(testRunOfEvent(suiteRunEvent({ outcome, counts }))).to.include({ ...counts, total: 413 });
    });
  it('is one error where the suite broke before its first test', () => {
    const counts = { total: 0, passed: 0, failed: 0, skipped: null };
    for (const outcome of ['fail', 'error'] as const)
      expect(testRunOfEvent(suiteRunEvent({ outcome, counts })), outcome).to.include({ ...counts, total: 1 });
  });
  it('adds no error where the outcome is pass, or where the counts say that something went wrong', () => {
    const passed = { total: 412, passed: 412, failed: 0, skipped: null };
    expect(testRunOfEvent(suiteRunEvent({ outcome: 'pass', counts: passed }))).to.include(passed);
    const errored = { total: 412, passed: 411, failed: 0, skipped: null };
    expect(testRunOfEvent(suiteRunEvent({ outcome: 'error', counts: errored }))).to.include(errored);
  });
  it('is never more than a record can hold', () => {
    const counts = { total: 2_147_483_647, passed: 2_147_483_647, failed: 0, skipped: null };
    expect(testRunOfEvent(suiteRunEvent({ outcome: 'fail', counts }))).to.include({ ...counts, passed: 2_147_483_646 });
  });
  it('has the counts that were given where they say what went wrong', () => {
    const counts = { total: 412, passed: 410, failed: 2, skipped: 3 };
    const event = suiteRunEvent({ outcome: 'fail', counts, commitSha: 'abcdef0' });
    expect(testRunOfEvent(event)).to.deep.equal({
      ...counts,
      releaseId: null,
      suite: 'unit',
      commitSha: 'abcdef0',
      url: null,
      durationSeconds: null,
      ranAt: event.at,
      external: event.external,
    });
  });
  it('is none when the run was canceled', () => {
    const counts = { total: 1, passed: 1, failed: 0, skipped: null };
    expect(testRunOfEvent(suiteRunEvent({ outcome: 'cancel', counts }))).to.equal(null);
  });
});

const tried = {
  kind: 'testsuiterun.finished',
  sources: ['/ci', 'unit'],
  guesses: { names: ['unit'], atHome: 2 },
} as const;

describe('The refusal of an event that leads to no project', () => {
  it('says what was tried and what to do', () => {
    const { code, message, details } = projectNotFoundForEvent(tried, null);
    expect(code).to.equal('invalid');
    expect(pointers(details.faults)).to.deep.equal(['/customData/app_name']);
    expect(message).to.equal(
      `Tried in vain: customData names no project; no project at the key's home has the event source "/ci" or "unit"; none is named "unit"; 2 are at the key's home, not one alone. Send customData.app_name or customData.project_id, or set one of these texts as an event source of the project: PUT /api/teams/{team_id}/projects/{project_id}/event-sources.`,
    );
  });
  it('is that of the name of a service, where it has one', () => {
    const ofName = new DomainError('unknown-app-name', 'No project is named x.', { nearest: ['y'] });
    const refusal = projectNotFoundForEvent({ ...tried, kind: 'service.deployed', guesses: null }, ofName);
    expect(refusal)
      .to.include({ code: 'unknown-app-name' })
      .and.to.have.deep.property('details', { nearest: ['y'] });
    expect(refusal.message)
      .to.match(/^No project is named x\. Tried in vain: /)
      .and.to.contain('event source "/ci" or "unit". Send')
      .and.not.to.contain('in sight.');
    const unnamed = projectNotFoundForEvent({ ...tried, kind: 'service.deployed' }, null);
    expect(pointers(unnamed.details.faults)).to.deep.equal(['/subject/id']);
  });
  it('quotes only the beginning of a long text', () => {
    const { message } = projectNotFoundForEvent({ ...tried, sources: ['x'.repeat(500)] }, null);
    expect(message)
      .to.contain(`"${'x'.repeat(80)}…"`)
      .and.not.to.contain('x'.repeat(81));
  });
});
