import type { Screen } from '../output/screen.js';
import type { World } from '../world.js';

/**
 * A world whose `fetch` warns once, on stderr only, when the server says that the API key expires soon. The JSON document
 * of the command does not list the warning: what a program reads must not change with the age of a key.
 */
export const warningOfExpiry = (world: World, screen: Screen): World => {
  let hasWarned = false;
  const fetch: World['fetch'] = async (input, init) => {
    const answer = await world.fetch(input, init);
    const end = Date.parse(answer.headers.get('shipworthy-key-expires') ?? '');
    if (hasWarned || Number.isNaN(end)) return answer;
    hasWarned = true;
    const day = new Date(end).toISOString().slice(0, 10);
    screen.say(
      `${screen.paint.attention('warning:')} The API key expires on ${day}: create its successor under Settings, API keys, ` +
        'and put it in its place.',
    );
    return answer;
  };
  // Not by spreading, which would read standard input before the command asks for it.
  return Object.create(world, { fetch: { value: fetch, enumerable: true } }) as World;
};
