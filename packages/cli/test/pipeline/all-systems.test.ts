import { expect } from 'chai';
import { parse } from 'yaml';
import { ALL_SYSTEMS } from '../../src/pipeline/all-systems.js';
import { FIRST_LINE, type SnippetValues } from '../../src/pipeline/ci-system.js';

const VALUES: SnippetValues = {
  apiUrl: 'https://ready.example/base',
  app: 'check out @2',
  environment: 'production eu',
  branch: 'trunk/2.x',
  test: 'npm test',
  shipworthy: '@shipworthy/cli@1.2.3',
};
const COMMANDS = [
  "npx --yes @shipworthy/cli@1.2.3 tests run --report 'reports/*.xml' -- npm test",
  'npx --yes @shipworthy/cli@1.2.3 gate',
  '  npx --yes @shipworthy/cli@1.2.3 deploy run --env "production eu" -- ./deploy.sh',
  '  env -u SHIPWORTHY_API_KEY ./deploy.sh',
];

/** Every text in a document, each under its member's name. */
const textsIn = (value: unknown, name = ''): readonly (readonly [string, string])[] => {
  if (typeof value === 'string') return [[name, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, Array.isArray(value) ? name : key));
};

describe('ALL_SYSTEMS', () => {
  const yaml = ALL_SYSTEMS.filter(({ name }) => name !== 'jenkins');

  it('knows seven systems, each with a file of its own', () => {
    expect(ALL_SYSTEMS.map(({ name }) => name)).to.deep.equal([
      'github',
      'gitlab',
      'buildkite',
      'circleci',
      'jenkins',
      'azure',
      'bitbucket',
    ]);
    expect(new Set(ALL_SYSTEMS.map(({ path }) => path)).size).to.equal(7);
  });

  for (const system of yaml)
    it(`makes a document for ${system.title} that runs the commands in order`, () => {
      const snippet = system.snippet(VALUES);
      const document: unknown = parse(snippet, { strict: true, uniqueKeys: true });
      const lines = textsIn(document).flatMap(([, text]) => text.split('\n'));
      const places = COMMANDS.map((command) => lines.indexOf(command));
      expect(Math.min(...places), snippet).to.be.at.least(0);
      expect(places).to.deep.equal([...places].sort((a, b) => a - b));
    });

  for (const system of yaml)
    it(`gives ${system.title} address and project as they are`, () => {
      const texts = textsIn(parse(system.snippet(VALUES)));
      const exported = texts
        .map(([, text]) => /^export .*_URL="([^"]*)" SHIPWORTHY_APP="([^"]*)"$/.exec(text))
        .find(Boolean);
      const of = (name: string) => texts.find(([key]) => key === name)?.[1];
      expect(of('SHIPWORTHY_API_URL') ?? exported?.[1]).to.equal(VALUES.apiUrl);
      expect(of('SHIPWORTHY_APP') ?? exported?.[2]).to.equal(VALUES.app);
    });

  for (const system of ALL_SYSTEMS)
    it(`has the gate obeyed on ${system.title}, and says in a comment how to begin`, () => {
      const shadowed = system
        .snippet(VALUES)
        .split('\n')
        .filter((line) => line.includes('--shadow'));
      expect(shadowed).to.have.lengthOf(1);
      expect(shadowed[0]).to.match(/^\s*(#|\/\/) To begin with, gate --shadow /);
    });

  it('makes a Jenkinsfile whose texts are quoted and whose brackets close', () => {
    const snippet = ALL_SYSTEMS.find(({ name }) => name === 'jenkins')?.snippet(VALUES) ?? '';
    expect(snippet).to.contain(
      "sh 'npx --yes @shipworthy/cli@1.2.3 tests run --report \\'reports/*.xml\\' -- npm test'",
    );
    expect(snippet).to.contain("SHIPWORTHY_API_KEY = credentials('shipworthy-api-key')");
    // Jenkins builds pull requests by the same file: no stage runs their code beside the key.
    expect(snippet.match(/stage\('\w+'\) \{\n\s+when \{\n\s+branch 'trunk\/2\.x'/g)).to.have.length(2);
    expect(snippet.match(/stage\(/g)).to.have.length(2);
    expect(snippet.split('{').length).to.equal(snippet.split('}').length);
  });

  for (const system of ALL_SYSTEMS)
    it(`runs on a push to the released branch only on ${system.title}, and says where the key goes`, () => {
      const snippet = system.snippet(VALUES);
      expect(snippet).to.match(/["']trunk\/2\.x["']|default_branch|CI_DEFAULT_BRANCH/);
      expect(snippet).to.not.match(/pull_request:|swk_/);
      expect(snippet.split('\n', 1)[0]).to.contain(FIRST_LINE);
      expect(system.steps[0]).to.match(/key/);
    });

  it('hands the key to each step that needs it where a system does not do so itself', () => {
    const github = parse(ALL_SYSTEMS.find(({ name }) => name === 'github')?.snippet(VALUES) ?? '');
    const azure = parse(ALL_SYSTEMS.find(({ name }) => name === 'azure')?.snippet(VALUES) ?? '');
    const running = [...github.jobs.ship.steps, ...azure.steps].filter(({ run, script }) => run ?? script);
    expect(running).to.have.lengthOf(6);
    for (const { env } of running) expect(env).to.have.all.keys('SHIPWORTHY_API_KEY');
    expect(github.permissions).to.deep.equal({ contents: 'read' });
  });
});
