import type { Answer } from './connection.js';
import type { Operation } from './description.js';

type Scalar = string | number;
type Path = Readonly<Record<string, string>>;

const MOST = 24;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** For each path the parameter of the things below it: `.../releases` has `release_id`. */
const childrenIn = (operations: readonly Operation[]): ReadonlyMap<string, string> =>
  new Map(
    operations.flatMap(({ path }) =>
      [...path.matchAll(/\/\{(\w+)\}/g)].map((found): [string, string] => [path.slice(0, found.index), found[1] ?? '']),
    ),
  );

/** What the answers of one sequence told: places to go to, and values by the name of their field. */
export interface Knowledge {
  /** The so-manieth place that has these parameters, the newest first. */
  place(parameters: readonly string[], nth: number): Path;
  known(name: string, nth: number): Scalar | undefined;
  note(name: string, value: Scalar): void;
  notePlace(parameter: string, path: Path): void;
  /** Takes in what a successful answer tells. */
  learn(operation: Operation, path: Path, answer: Answer): void;
}

export const createKnowledge = (operations: readonly Operation[]): Knowledge => {
  const children = childrenIn(operations);
  const places = new Map<string, Path[]>();
  const values = new Map<string, Scalar[]>();

  const note = (name: string, value: Scalar): void => {
    const before = (values.get(name) ?? []).filter((each) => each !== value);
    values.set(name, [value, ...before].slice(0, MOST));
  };
  const notePlace = (parameter: string, path: Path): void => {
    const before = (places.get(parameter) ?? []).filter((each) => each[parameter] !== path[parameter]);
    places.set(parameter, [path, ...before].slice(0, 2 * MOST));
    note(parameter, path[parameter] ?? '');
  };

  const noteState = (url: string): void => {
    const state = URL.canParse(url) ? new URL(url).searchParams.get('state') : null;
    if (state !== null) note('approval', state);
  };
  const noteAll = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value.slice(0, 10)) noteAll(each);
    if (!isObject(value)) return;
    for (const [name, each] of Object.entries(value)) {
      if (typeof each === 'string' || typeof each === 'number') {
        note(name, each);
        if (name === 'url') noteState(String(each));
        if (name === 'version') note('match', `"${each}"`);
      } else noteAll(each);
    }
  };

  const noteThing = (thing: unknown, parameter: string, path: Path): void => {
    if (!isObject(thing)) return;
    const id = thing[parameter] ?? thing.id;
    if (typeof id === 'string' && UUID.test(id)) notePlace(parameter, { ...path, [parameter]: id });
  };

  return {
    note,
    notePlace,
    place: (parameters, nth) => {
      const [last] = parameters.slice(-1);
      const all = last === undefined ? [] : (places.get(last) ?? []);
      const whole = all.filter((place) => parameters.every((parameter) => place[parameter] !== undefined));
      const found = whole.length > 0 ? whole : all;
      if (found.length > 0) return found[nth % found.length] ?? {};
      // Nothing of the kind is known: at least the way there is right.
      const way = parameters.slice(0, -1);
      return way.length === 0 ? {} : ((places.get(way.at(-1) ?? '') ?? [])[0] ?? {});
    },
    known: (name, nth) => {
      const found = values.get(name) ?? [];
      return found.length === 0 ? undefined : found[nth % found.length];
    },
    learn: (operation, path, answer) => {
      const { etag, 'set-cookie': cookie } = answer.headers;
      if (etag !== undefined) note('etag', etag);
      const [, secret] = /^shipworthy_session=([^;]+);/.exec(cookie ?? '') ?? [];
      if (secret !== undefined) note('session', secret);
      if (!answer.headers['content-type']?.startsWith('application/json')) return;
      const body: unknown = JSON.parse(answer.text);
      if (operation.id === 'readOpenApi' || !isObject(body)) return;
      if (operation.id === 'showBadge' && isObject(body.data)) note('badge_token', String(body.data.token));
      if (operation.id === 'createApiKey' && isObject(body.data)) note('api_key', String(body.data.key));
      noteAll(body);
      const child = children.get(operation.path);
      if (child !== undefined)
        for (const thing of Array.isArray(body.data) ? body.data.slice(0, 10) : [body.data])
          noteThing(thing, child, path);
      if (/^(create|rename)Project$/.test(operation.id) && isObject(body.data))
        note('project_name', String(body.data.name));
    },
  };
};
