import { expect } from 'chai';
import fc from 'fast-check';
import { readArtifact } from '../../src/cdevent/artifact.js';
import { COMMIT } from './event-of.js';

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
        if (version !== null) expect(version.length).to.be.within(1, 200);
        if (commitSha !== null) expect(commitSha).to.match(/^[0-9a-f]{7,64}$/);
      }),
    );
  });
});
