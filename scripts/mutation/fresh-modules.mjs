// Hooks of Node's loader: modules of the tree that a module with `?fresh=N` imports are evaluated anew, once per N.
let tree = '';

export const initialize = ({ folder }) => {
  tree = folder;
};

export const resolve = async (specifier, context, next) => {
  const found = await next(specifier, context);
  const fresh = /\?fresh=\d+$/.exec(context.parentURL ?? '');
  const isOurs = found.url.startsWith(tree) && !found.url.includes('/node_modules/') && !found.url.includes('?');
  return fresh === null || !isOurs ? found : { ...found, url: `${found.url}${fresh[0]}` };
};
