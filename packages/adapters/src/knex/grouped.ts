/** The records by key, each key's in the order given; keys in the order of their first record. */
export const grouped = <Key, Found>(
  found: readonly Found[],
  keyOf: (found: Found) => Key,
): ReadonlyMap<Key, readonly Found[]> => {
  const groups = new Map<Key, Found[]>();
  for (const record of found) {
    const key = keyOf(record);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [record]);
    else group.push(record);
  }
  return groups;
};
