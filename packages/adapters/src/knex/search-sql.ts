// SQL by hand: one scan finds how well names match, by patterns that each of the two databases writes in its own way.
import {
  BETWEEN_WORDS,
  type FoundRecord,
  inAnyCase,
  MATCHES,
  restWithin,
  type SearchText,
  spellingsOf,
} from '@shipworthy/domain';
import type { SearchStore } from '@shipworthy/domain/ports';
import type { Knex } from 'knex';
import type { Value } from './dialect.js';
import { type Access, groupedBy } from './sql.js';

/** Where in a name the text must be: the whole name, its start, the start of a later word, or anywhere. */
type Position = 'whole' | 'start' | 'word' | 'anywhere';

/** A comparison with a name: its operator with a `?` for the pattern, and the pattern. */
interface Pattern {
  readonly comparison: string;
  readonly pattern: string;
}

const ASCII = /^[ -~]*$/;

/** Several times as fast as a `glob` pattern with brackets; it ignores the case of ASCII letters only. */
const likePattern = (text: string, position: Exclude<Position, 'word'>): Pattern => {
  const literal = text.replace(/[\\%_]/g, '\\$&');
  const [before, behind] = [position === 'anywhere' ? '%' : '', position === 'whole' ? '' : '%'];
  return { comparison: "like ? escape '\\'", pattern: `${before}${literal}${behind}` };
};

const globPattern = (text: string, position: Position): Pattern => {
  const spelled = [...text].map((character) => {
    const spellings = spellingsOf(character);
    return spellings.length > 1 || /[*?[]/.test(character) ? `[${spellings.join('')}]` : character;
  });
  const before = { whole: '', start: '', word: `*[${BETWEEN_WORDS}]`, anywhere: '*' }[position];
  return { comparison: 'glob ?', pattern: `${before}${spelled.join('')}${position === 'whole' ? '' : '*'}` };
};

const regularExpression = (text: string, position: Position): Pattern => {
  const before = { whole: '^', start: '^', word: `[${BETWEEN_WORDS}]`, anywhere: '' }[position];
  return { comparison: '~ ?', pattern: `${before}${inAnyCase(text)}${position === 'whole' ? '$' : ''}` };
};

const patternOf = ({ dialect }: Access, text: string, position: Position): Pattern => {
  if (dialect.name === 'postgres') return regularExpression(text, position);
  return position !== 'word' && ASCII.test(text) ? likePattern(text, position) : globPattern(text, position);
};

/** A part of a statement with its bindings. */
interface Part {
  readonly sql: string;
  readonly bindings: readonly Value[];
}

const joined = (parts: readonly Part[], between: 'and' | 'or'): Part => ({
  sql: `(${parts.map(({ sql }) => sql).join(` ${between} `)})`,
  bindings: parts.flatMap(({ bindings }) => bindings),
});
const both = (parts: readonly Part[]): Part => joined(parts, 'and');
const either = (parts: readonly Part[]): Part => joined(parts, 'or');

/** Whether the column holds every word, in any case. */
const holdsWordsSql = (access: Access, column: string, { words }: Pick<SearchText, 'words'>): Part =>
  both(
    words.map((word) => {
      const { comparison, pattern } = patternOf(access, word, 'anywhere');
      return { sql: `${column} ${comparison}`, bindings: [pattern] };
    }),
  );

/**
 * Keeps the rows of a list whose column holds every word of a text, in any case; all rows without a text or a word.
 * @param or conditions that let a row through, too; one of them is enough
 */
export const whereHoldsWords = (
  access: Access,
  rows: Knex.QueryBuilder,
  column: string,
  text: Pick<SearchText, 'words'> | undefined,
  or: readonly Part[] = [],
): void => {
  if (text === undefined || text.words.length === 0) return;
  const { sql, bindings } = either([holdsWordsSql(access, column, text), ...or]);
  // PostgreSQL expects almost no row to match a pattern; when many do, it reads a big table from end to end for one
  // page. It expects every second row to meet a condition that it cannot judge, and then begins with the newest.
  rows.whereRaw(access.dialect.name === 'postgres' ? `case when ${sql} then true else false end` : sql, bindings);
};

interface Searched {
  readonly kind: FoundRecord['kind'];
  readonly table: 'releases' | 'issues';
  readonly name: 'name' | 'title';
}

const SEARCHED: readonly Searched[] = [
  { kind: 'release', table: 'releases', name: 'name' },
  { kind: 'issue', table: 'issues', name: 'title' },
];

interface FoundRow extends Omit<FoundRecord, 'match' | 'projectId'> {
  readonly project_id: string;
  readonly place: number;
}

/** The projects to search, and how their names match the text. */
interface SearchedProjects {
  readonly ids: readonly string[];
  /** For each word, the projects whose names hold it; the names of their releases and issues need not hold it. */
  readonly held: readonly (readonly string[])[];
  /** For projects with whose name the text begins: the rest of the text, with the ids of these projects. */
  readonly rests: ReadonlyMap<string, readonly string[]>;
}

const searchedProjectsOf = (projects: Parameters<SearchStore['find']>[0], text: SearchText): SearchedProjects => {
  const ids = projects.map(({ id }) => id);
  const held = text.words.map((word) => {
    const pattern = new RegExp(inAnyCase(word), 'u');
    return projects.filter(({ name }) => pattern.test(name)).map(({ id }) => id);
  });
  const begun = projects.flatMap(({ id, name }) => {
    const rest = restWithin(text, name);
    return rest === null ? [] : [{ id, rest }];
  });
  const rests = [...groupedBy(begun, ({ rest }) => rest)].map(
    ([rest, them]) => [rest, them.map(({ id }) => id)] as const,
  );
  return { ids, held, rests: new Map(rests) };
};

/** Returns the best matches in one table, by the rules of `matcherOf` in the domain. */
const bestOf = async (
  access: Access,
  { kind, table, name }: Searched,
  { ids, held, rests }: SearchedProjects,
  { words, phrase, number, id }: SearchText,
  limit: number,
): Promise<readonly FoundRecord[]> => {
  const { dialect } = access;
  const holds = (text: string, position: Position): Part => {
    const { comparison, pattern } = patternOf(access, text, position);
    return { sql: `t.${name} ${comparison}`, bindings: [pattern] };
  };
  // The plus keeps SQLite from using the index for each project, which takes ten times as long as a scan of all rows.
  const project = dialect.name === 'sqlite' ? '+t.project_id' : 't.project_id';
  const within = (projectIds: readonly string[]): Part => ({
    sql: dialect.among(project, 'id'),
    bindings: [dialect.list(projectIds)],
  });
  const at = (position: Position): Part =>
    either([
      holds(phrase, position),
      ...[...rests].map(([rest, projectIds]) => both([holds(rest, position), within(projectIds)])),
    ]);
  const keys: readonly Part[] = [
    ...(id === null ? [] : [{ sql: 't.id = ?', bindings: [id] }]),
    ...(number === null || table !== 'issues' ? [] : [{ sql: 't.url like ?', bindings: [`%/${number}`] }]),
  ];
  const each = words.flatMap((word, place) => {
    const projectIds = held[place] ?? [];
    if (projectIds.length === ids.length) return [];
    return projectIds.length === 0 ? holds(word, 'anywhere') : either([holds(word, 'anywhere'), within(projectIds)]);
  });
  const some = held.every((projectIds) => projectIds.length > 0)
    ? [either(words.map((word) => holds(word, 'anywhere')))]
    : [];
  const matches = both([either([both([...some, ...each]), ...keys]), within(ids)]);
  const [exact, start, word] = [either([...keys, at('whole')]), at('start'), at('word')];
  const rows = await access.read<FoundRow>(
    `select '${kind}' as kind, t.id, t.project_id, t.${name} as name, t.state,
        case when ${exact.sql} then 0 when ${start.sql} then 1 when ${word.sql} then 2 else 3 end as place
      from ${table} t where ${matches.sql} order by place, t.created_at desc, t.id desc limit ${limit}`,
    [exact, start, word, matches].flatMap(({ bindings }) => bindings),
  );
  return rows.map(({ project_id: projectId, place, ...found }) => ({
    ...found,
    projectId,
    match: MATCHES[place] ?? 'part',
  }));
};

export const searchStore = (access: Access): SearchStore => ({
  find: async (projects, text, limit) => {
    if (projects.length === 0 || text.words.length === 0) return [];
    const searchedProjects = searchedProjectsOf(projects, text);
    const found: FoundRecord[] = [];
    for (const searched of SEARCHED) found.push(...(await bestOf(access, searched, searchedProjects, text, limit)));
    const place = ({ match }: FoundRecord): number => MATCHES.indexOf(match);
    return found.sort((a, b) => place(a) - place(b)).slice(0, limit);
  },
});
