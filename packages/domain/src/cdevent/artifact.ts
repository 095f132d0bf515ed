/** What a package URL says of the code in it; null: it does not say. */
export interface Artifact {
  readonly version: string | null;
  /** The commit; where none is named, the SHA-256 digest of the content, 64 hexadecimal characters. */
  readonly commitSha: string | null;
}

const LONGEST_VERSION = 200;
const COMMIT = /^[0-9a-f]{7,64}$/i;
const NOTHING: Artifact = { version: null, commitSha: null };

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const commitIn = (text: string | undefined): string | null =>
  text !== undefined && COMMIT.test(text) ? text.toLowerCase() : null;

/** Digits alone are a number or a date more often than a shortened commit. */
const commitInVersion = (version: string | null): string | null =>
  version === null || (/^\d+$/.test(version) && version.length < 40) ? null : commitIn(version);

/** Of an image its version, elsewhere one of the qualifier `checksum`, which may list several. */
const digestIn = (texts: readonly (string | null | undefined)[]): string | null => {
  for (const text of texts.flatMap((some) => some?.split(',') ?? [])) {
    const [, digest] = /^sha256:([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
    if (digest !== undefined) return digest.toLowerCase();
  }
  return null;
};

const isLabel = (text: string): boolean =>
  text !== '' && text.length <= LONGEST_VERSION && !/[\p{Cc}\p{Cs}]/u.test(text);

/**
 * Reads version and commit from a package URL. The commit is the qualifier `commit`, or stands behind the `@` of the qualifier
 * `vcs_url`, or is the version itself; without any of them the SHA-256 digest of the content stands in its place: the version
 * `sha256:...` of an image, or the qualifier `checksum`. What is not a package URL says nothing.
 * Source: https://github.com/package-url/purl-spec (components, qualifiers `vcs_url`, `checksum`, type `oci`)
 */
export const readArtifact = (purl: string): Artifact => {
  if (!/^pkg:/i.test(purl)) return NOTHING;
  const [withoutSubpath = ''] = purl.split('#', 1);
  const [path = '', query = ''] = withoutSubpath.split('?', 2);
  const at = path.lastIndexOf('@');
  // An @ before the last slash belongs to a namespace, such as that of an npm scope.
  const text = at > path.lastIndexOf('/') ? decoded(path.slice(at + 1)) : '';
  const version = isLabel(text) ? text : null;
  const qualifiers = new Map(
    query.split('&').map((pair): readonly [string, string] => {
      const [name = '', ...value] = pair.split('=');
      return [name.toLowerCase(), decoded(value.join('='))];
    }),
  );
  const vcs = /@([^@/#]+)(?:#.*)?$/.exec(qualifiers.get('vcs_url') ?? '')?.[1];
  const commit = commitIn(qualifiers.get('commit')) ?? commitIn(vcs) ?? commitInVersion(version);
  return { version, commitSha: commit ?? digestIn([version, qualifiers.get('checksum')]) };
};
