const membersOf = (value: object): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(value).filter(([, member]) => member !== undefined));

/** Whether two values are the same as JSON: the order of members aside, one that is undefined counting as missing. */
export const sameValue = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [ours, theirs] = [membersOf(a), membersOf(b)];
  return ours.size === theirs.size && [...ours].every(([name, member]) => sameValue(member, theirs.get(name)));
};
