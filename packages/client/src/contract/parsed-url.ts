/**
 * The address a text holds, resolved against a base if there is one; undefined when it holds none.
 * `URL.canParse` is not to be trusted with letters such as ü: in Node 20 it refuses them once it has been called often.
 */
export const parsedUrl = (text: string, base?: string | URL): URL | undefined => {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
};
