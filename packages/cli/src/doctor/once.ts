/** Finds something out at most once, when it is first asked for. */
export const once = <Value>(find: () => Promise<Value>): (() => Promise<Value>) => {
  let found: Promise<Value> | undefined;
  return () => {
    found ??= find();
    return found;
  };
};
