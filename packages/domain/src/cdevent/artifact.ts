/** What a package URL says of the code in it; null: it does not say. */
export interface Artifact {
  readonly version: string | null;
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

const isLabel = (text: string): boolean =>
  text !== '' && text.length <= LONGEST_VERSION && !/[\p{Cc}\p{Cs}]/u.test(text);

/**
 * Reads version and commit from a package URL. The commit is the qualifier `commit`, or stands behind the `@` of the qualifier
 * `vcs_url`, or is the version itself; the digest of an image is none. What is not a package URL says nothing.
 * Source: https://github.com/package-url/purl-spec (components, qualifier `vcs_url`)
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
  return { version, commitSha: commitIn(qualifiers.get('commit')) ?? commitIn(vcs) ?? commitInVersion(version) };
};
