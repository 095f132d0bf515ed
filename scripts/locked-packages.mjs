// Reads `packages` of a package-lock.json: what a name leads to, and what some workspaces need.

/** Returns the path that Node finds the package `name` at when `from` imports it; undefined where nothing is locked. */
export const packageFound = (locked, from, name) => {
  for (let folder = from; ; folder = folder.replace(/(^|\/)(?:node_modules\/)?(?:@[^/]+\/)?[^/]+$/, '')) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (locked[path]) return locked[path].link ? locked[path].resolved : path;
    if (folder === '') return undefined;
  }
};

/** Returns the paths of all packages that the workspaces need to be built and to run; their own paths are not among them. */
export const packagesNeeded = (locked, workspaces) => {
  const needed = new Set(workspaces);
  for (const path of needed) {
    const { dependencies, optionalDependencies, devDependencies, peerDependencies, peerDependenciesMeta } =
      locked[path];
    const names = [
      dependencies,
      optionalDependencies,
      workspaces.includes(path) ? devDependencies : {},
      peerDependencies,
    ]
      .flatMap((some) => Object.keys(some ?? {}))
      .filter((name) => !peerDependenciesMeta?.[name]?.optional);
    for (const name of names) {
      const found = packageFound(locked, path, name);
      if (found !== undefined) needed.add(found);
    }
  }
  return [...needed].filter((path) => !workspaces.includes(path));
};
