import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { inert, inertJson } from '../../src/output/safe-text.js';
import { type Service, startService } from '../service/service.js';
import { runIn, type StandIn, standIn } from '../stand-in.js';
import { furnish, LINES } from './command-lines.js';

const COMMANDS =
  '::error::a ::set-output name=b::c ##[error]d ##vso[task.complete]e ##teamcity[buildStop] [x]::add-mask::f';
/** Text that our server refuses to store, but other servers, files and environments may hold. */
const HOSTILE = `${COMMANDS}\n::warning::g\r\n##[group]h\u001b[2J\u202e\u2067\u061c\u2028::debug::i`;

/** What obeys a log reads: commands of the CI systems, escapes and characters that turn a line's direction. */
const OBEYED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
  /::[a-z_-]|^\s*::|##\w*\[|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/im;

const HEAD = '9fceb02d0ae598e95dc970b74767f19372d61af8';
const SYSTEMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  github: {
    ...{ GITHUB_ACTIONS: 'true', GITHUB_SHA: HEAD, GITHUB_REF_NAME: HOSTILE, GITHUB_REF_TYPE: 'branch' },
    ...{ GITHUB_SERVER_URL: HOSTILE, GITHUB_REPOSITORY: HOSTILE, GITHUB_RUN_ID: HOSTILE, GITHUB_ACTOR: HOSTILE },
  },
  gitlab: {
    ...{ GITLAB_CI: 'true', CI_COMMIT_SHA: HOSTILE, CI_COMMIT_BRANCH: HOSTILE },
    ...{ CI_JOB_URL: HOSTILE, GITLAB_USER_LOGIN: HOSTILE },
  },
  buildkite: {
    ...{ BUILDKITE: 'true', BUILDKITE_COMMIT: HOSTILE, BUILDKITE_BRANCH: HOSTILE },
    ...{ BUILDKITE_BUILD_URL: HOSTILE, BUILDKITE_BUILD_CREATOR: HOSTILE },
  },
  circleci: {
    ...{ CIRCLECI: 'true', CIRCLE_SHA1: HOSTILE, CIRCLE_BRANCH: HOSTILE },
    ...{ CIRCLE_BUILD_URL: HOSTILE, CIRCLE_USERNAME: HOSTILE },
  },
  jenkins: {
    ...{ JENKINS_URL: 'https://jenkins.example/', GIT_COMMIT: HEAD, BRANCH_NAME: HOSTILE },
    ...{ BUILD_URL: HOSTILE, CHANGE_AUTHOR: HOSTILE },
  },
  azure: {
    ...{ TF_BUILD: 'True', BUILD_SOURCEVERSION: HEAD, BUILD_SOURCEBRANCH: HOSTILE },
    ...{ SYSTEM_COLLECTIONURI: HOSTILE, SYSTEM_TEAMPROJECT: HOSTILE, BUILD_BUILDID: HOSTILE },
    ...{ BUILD_REQUESTEDFOR: HOSTILE },
  },
  bitbucket: {
    ...{ BITBUCKET_BUILD_NUMBER: HOSTILE, BITBUCKET_COMMIT: HEAD, BITBUCKET_BRANCH: HOSTILE },
    ...{ BITBUCKET_GIT_HTTP_ORIGIN: HOSTILE, BITBUCKET_STEP_TRIGGERER_UUID: HOSTILE },
  },
  teamcity: { TEAMCITY_VERSION: '2026.1', BUILD_VCS_NUMBER: HOSTILE, TEAMCITY_PROJECT_NAME: HOSTILE },
};

const FILE = 'a ::error::b ##vso[task.complete]c.xml';
const MORE_LINES: readonly (readonly string[])[] = [
  ['gate', '--release', HOSTILE],
  ['gate', '--wait', '1s'],
  ['releases', '--app', HOSTILE],
  ['deploy', 'start', '--env', HOSTILE, '--commit', HEAD],
  ['deploy', 'run', '--gate', '--env', HOSTILE, '--commit', HEAD, '--', process.execPath, '-e', '0'],
  ['--dry-run', 'deploy', 'start', '--env', HOSTILE, '--commit', HEAD],
  ['tests', 'record', FILE, `missing ${COMMANDS}`],
  ['tests', 'record', FILE, '--suite', HOSTILE],
  ['score', '--from', FILE],
  ['what-if', '--set', HOSTILE],
  ['import', 'deployments', 'past.csv', '--map', `version=${HOSTILE}`],
  [HOSTILE],
  ['gate', `--${HOSTILE}`],
];

const problem = {
  ...{ type: 'not-found', title: HOSTILE, status: 422, detail: HOSTILE },
  errors: [{ pointer: HOSTILE, code: HOSTILE, message: HOSTILE }],
};
const ANSWERS: Readonly<Record<string, () => Response>> = {
  'a problem': () =>
    new Response(JSON.stringify(problem), {
      status: 422,
      headers: { 'content-type': 'application/problem+json', 'x-request-id': COMMANDS },
    }),
  'a page': () => new Response(HOSTILE, { status: 404, headers: { 'content-type': 'text/html; ##[error]::error::x' } }),
};

/** A folder in which git and every file say what a log must not obey. */
const furnishHostile = (world: StandIn): void => {
  furnish(world);
  const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: world.folder });
  git('init', '-q');
  git('remote', 'add', 'origin', `https://forge.example/${COMMANDS.replaceAll(' ', '/')}.git`);
  const name = HOSTILE.replaceAll('\u001b', '');
  const failed = `<testcase classname="${name}" name="${name}"><failure message="${name}">${name}</failure></testcase>`;
  writeFileSync(join(world.folder, FILE), `<testsuite name="${name}" tests="7">${failed}</testsuite><${name}`);
  writeFileSync(join(world.folder, 'past.csv'), `${COMMANDS},status\n${COMMANDS},success\n`);
  writeFileSync(join(world.folder, 'package.json'), JSON.stringify({ scripts: { test: HOSTILE } }));
};

describe('text of others in a log', () => {
  let service: Service;
  let key: string;
  const worlds: StandIn[] = [];
  before(async () => {
    service = await startService();
    const { person } = service;
    const { body: team } = await person.createTeam({ body: { name: `Core ${COMMANDS}` } });
    const home = { team_id: team.data.id };
    const { body: project } = await person.createProject({ path: home, body: { name: COMMANDS } });
    const projectPlace = { ...home, project_id: project.data.id };
    const { body: release } = await person.createRelease({ path: projectPlace, body: { name: `1 ${COMMANDS}` } });
    const place = { ...projectPlace, release_id: release.data.id };
    await person.activateRelease({ path: place });
    await person.addChecklistItem({ path: place, body: { title: `Pen test ${COMMANDS}` } });
    await person.createIssue({
      path: place,
      body: { title: COMMANDS, type: 'bug', state: 'todo', severity: 'critical', release_id: release.data.id },
    });
    key = await service.keyFor('read', 'deployments:write', 'test-runs:write');
    await person.recordDeployment({
      body: { app_name: COMMANDS, environment: COMMANDS, commit_sha: HEAD, status: 'failure' },
    });
  });
  after(async () => {
    await service.stop();
    await Promise.all(worlds.map((world) => world.remove()));
  });

  const worldOf = async (env: Readonly<Record<string, string>>, answer?: () => Response): Promise<StandIn> => {
    const world = await standIn({
      env: {
        ...{ SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: key, SHIPWORTHY_APP: COMMANDS },
        ...{ GIT_CONFIG_NOSYSTEM: '1', ...env },
      },
      ...(answer && { fetch: async () => answer() }),
    });
    worlds.push(world);
    furnishHostile(world);
    return world;
  };

  /** Runs every command, for people and for programs; answers all that was written. */
  const writtenBy = async (world: StandIn): Promise<string> => {
    const lines = [...Object.values(LINES).filter(([name]) => name !== 'completion'), ...MORE_LINES];
    const all: string[] = [];
    for (const line of lines)
      for (const json of [[], ['--json']]) {
        const { out, err } = await runIn(world, ...json, '--timeout', '1', ...line);
        expect(`${out}\n${err}`, `${json} ${line.join(' ')}`).not.to.match(OBEYED);
        all.push(out, err);
      }
    return all.join('\n');
  };

  for (const [system, env] of Object.entries(SYSTEMS)) {
    it(`is obeyed nowhere where a server of ours holds it, on ${system}`, async () => {
      const written = await writtenBy(await worldOf(env));
      expect(written).to.contain('1 : :error: :a').and.to.contain('## vso[task.complete]e');
      expect(written).to.contain('\\u003a:error\\u003a:a');
    });

    for (const [name, answer] of Object.entries(ANSWERS))
      it(`is obeyed nowhere where ${name} of any server holds it, on ${system}`, async () => {
        expect(await writtenBy(await worldOf(env, answer))).to.contain(': :error: :a');
      });
  }

  it('means the same in a JSON document', async () => {
    const { out } = await runIn(await worldOf({}), '--json', 'gate');
    expect(out).not.to.match(OBEYED);
    expect(JSON.parse(out).data.release.name).to.equal(`1 ${COMMANDS}`);
  });

  it('leaves addresses and other text as they are', () => {
    for (const text of ['http://[::1]:4400/a', 'https://[fe80::abcd]/b', '12:30:45', 'a: b', '# a', 'C#[1]', '## [x]'])
      expect(inert(text)).to.equal(text);
    const pieces = fc.constantFrom(
      ':',
      '::',
      '#',
      '##',
      '[',
      ']',
      '\n',
      ' ',
      'error',
      'vso',
      'a',
      '1',
      '"',
      '\\',
      '\u202e',
    );
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const text = parts.join('');
        expect(inert(text)).not.to.match(/::[g-z_-]|^\s*::|##\w*\[/im);
        const json = inertJson(JSON.stringify({ text, [text]: [text] }));
        expect(json).not.to.match(/::|##|\u202e/);
        expect(JSON.parse(json)).to.deep.equal({ text, [text]: [text] });
      }),
    );
  });
});
