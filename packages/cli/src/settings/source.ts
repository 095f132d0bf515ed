/** Where a setting came from. */
export interface Source {
  readonly kind: 'flag' | 'environment' | 'repository_file' | 'user_file';
  /** As a person would look for it: `--api-url`, `SHIPWORTHY_API_KEY`, the path of a file. */
  readonly name: string;
}

/** A setting and where it was found. */
export interface Found<Value> {
  readonly value: Value;
  readonly source: Source;
}

/** The first one that was found. */
export const firstFound = <Value>(...candidates: readonly (Found<Value> | undefined)[]): Found<Value> | undefined =>
  candidates.find((candidate) => candidate !== undefined);
