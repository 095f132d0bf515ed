import type { Principal } from '../access/principal.js';
import type { Ports } from '../ports.js';
import {
  FOUND_KINDS,
  type FoundKind,
  type FoundRecord,
  MATCHES,
  type Match,
  matcherOf,
  searchTextOf,
} from '../search.js';
import { readTeams } from './team.js';

interface Search {
  readonly principal: Principal;
  readonly text: string;
  /** Most results that are returned. */
  readonly limit: number;
}

/** Something that was found, with its place. */
export interface SearchResult {
  readonly kind: FoundKind;
  readonly id: string;
  readonly name: string;
  readonly match: Match;
  /** The state of the release or issue; null: it is a project. */
  readonly state: FoundRecord['state'] | null;
  readonly team: { readonly id: string; readonly name: string };
  /** The project that it belongs to, or is. */
  readonly project: { readonly id: string; readonly name: string };
}

/**
 * The projects, releases and issues in sight whose names match the text: the best matches first, then projects by team and name, then
 * releases, then issues, both newest first. A project is also found by its slug or id, an issue by its number at its host, and each by its id.
 */
export async function search(
  { stores, slices }: Pick<Ports, 'stores' | 'slices'>,
  { principal, text: entered, limit }: Search,
): Promise<readonly SearchResult[]> {
  const text = searchTextOf(entered);
  const teams = await readTeams(stores, principal);
  const places = teams.flatMap(({ team, projects }) => projects.map((project) => ({ team, project })));
  const records = await stores.search.find(
    places.map(({ project }) => project),
    text,
    limit,
  );
  const matchOf = matcherOf(text)(null);
  const projects = await slices.map(places, ({ team, project: { id, name, slug } }): readonly SearchResult[] => {
    const match = matchOf({ id, name, key: slug, url: null });
    if (match === undefined) return [];
    return [{ kind: 'project', id, name, match, state: null, team, project: { id, name } }];
  });
  const byId = new Map(places.map((place) => [place.project.id, place]));
  const placed = ({ projectId, ...record }: FoundRecord): readonly SearchResult[] => {
    const place = byId.get(projectId);
    return place === undefined ? [] : [{ ...record, team: place.team, project: place.project }];
  };
  const rank = ({ match, kind }: SearchResult): number =>
    MATCHES.indexOf(match) * FOUND_KINDS.length + FOUND_KINDS.indexOf(kind);
  return [...projects.flat(), ...records.flatMap(placed)].sort((a, b) => rank(a) - rank(b)).slice(0, limit);
}
