import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from './documents.js';

const LERNA = join(root, 'node_modules', 'lerna', 'dist', 'cli.js');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly workspaces?: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The folders that npm takes for workspaces, from the patterns of the root's manifest, such as `packages/*`. */
const workspaces = (manifestIn(root).workspaces ?? [])
  .map((pattern) => pattern.replace(/\/\*$/, ''))
  .flatMap((room) => readdirSync(join(root, room)).map((name) => `${room}/${name}`))
  .filter((path) => existsSync(join(root, path, 'package.json')));

const lerna = (cwd: string, ...words: readonly string[]): string =>
  execFileSync(process.execPath, [LERNA, ...words], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

describe('lerna', () => {
  it('knows exactly the workspaces of npm', () => {
    const listed = JSON.parse(lerna(root, 'ls', '--all', '--json')) as readonly { readonly location: string }[];
    expect(workspaces).to.include.members(['packages/domain', 'examples/how-to', 'integrations/gitlab']);
    expect(listed.map(({ location }) => location)).to.have.members(workspaces.map((path) => join(root, path)));
  });

  it('finds a script that runs its tests in every workspace that has some', () => {
    for (const path of workspaces) {
      const script = manifestIn(join(root, path)).scripts?.test;
      expect(script, path).to.equal(
        existsSync(join(root, path, 'test')) ? 'node ../../scripts/test.mjs --here' : undefined,
      );
    }
  });

  describe('giving a new version, in a copy', () => {
    let copy: string;
    const { version: before } = manifestIn(root);
    const after = before.replace(/\d+$/, (patch) => String(Number(patch) + 1));
    const read = (path: string): string => readFileSync(join(copy, path), 'utf8');
    const TEXTS = ['README.md', 'docs/how-to/use-in-ci.md', 'docs/how-to/deploy.md', 'integrations/gitlab/templates'];
    const CHART = 'deploy/helm/shipworthy/Chart.yaml';
    const SNIPPET = 'integrations/snippets/github/shipworthy.yml';

    beforeEach(() => {
      copy = mkdtempSync(join(tmpdir(), 'shipworthy-lerna-'));
      const files = ['package.json', 'package-lock.json', '.npmrc', 'lerna.json', 'scripts/write-version.mjs'];
      const manifests = workspaces.map((path) => `${path}/package.json`);
      for (const path of [...files, ...manifests, ...TEXTS, CHART, SNIPPET])
        cpSync(join(root, path), join(copy, path), { recursive: true });
      symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
      const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
      for (const words of [
        ['init', '-q'],
        ['add', 'package.json'],
        [...author, 'commit', '-qm', 'begin'],
      ])
        execFileSync('git', words, { cwd: copy });
      lerna(copy, 'version', 'patch', '--no-git-tag-version', '--no-push', '--yes');
    });
    afterEach(() => rmSync(copy, { recursive: true, force: true }));

    it('sets one version for all, and for what they ask of each other', () => {
      const names = new Set(workspaces.map((path) => manifestIn(join(root, path)).name));
      for (const path of ['.', ...workspaces]) {
        const { version, dependencies, devDependencies } = manifestIn(join(copy, path));
        expect(version, path).to.equal(after);
        for (const [name, asked] of Object.entries({ ...dependencies, ...devDependencies }))
          if (names.has(name)) expect(asked, `${path} asks for ${name}`).to.equal(after);
      }
      const lock = JSON.parse(read('package-lock.json'));
      for (const path of ['', ...workspaces]) expect(lock.packages[path].version, path).to.equal(after);
      expect(JSON.parse(read('lerna.json')).version).to.equal(after);
    });

    it('sets it in every text that names it, and changes nothing else there', () => {
      const templates = readdirSync(join(copy, 'integrations/gitlab/templates')).map(
        (name) => `integrations/gitlab/templates/${name}/template.yml`,
      );
      for (const path of [...TEXTS.filter((name) => name.endsWith('.md')), ...templates, CHART, SNIPPET]) {
        const [old, written] = [readFileSync(join(root, path), 'utf8'), read(path)];
        expect(old, path).to.contain(before);
        expect(written, path).to.equal(old.replaceAll(before, after));
      }
    });
  });
});
