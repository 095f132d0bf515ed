import type { Stores } from '../../src/ports.js';

/** The same stores, with every call of theirs noted by name. */
export const counted = (stores: Stores): { readonly stores: Stores; readonly calls: string[] } => {
  const calls: string[] = [];
  const noting = <Store extends object>(store: Store, name: string): Store =>
    new Proxy(store, {
      get: (target, key, receiver) => {
        calls.push(`${name}.${String(key)}`);
        return Reflect.get(target, key, receiver);
      },
    });
  const each = Object.entries(stores).map(([name, store]) => [
    name,
    typeof store === 'object' ? noting(store, name) : store,
  ]);
  return { stores: { ...stores, ...Object.fromEntries(each) }, calls };
};
