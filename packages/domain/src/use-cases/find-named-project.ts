import {
  atHome,
  mayLookBeyond,
  type Principal,
  seesProject,
  type TeamCaller,
  teamsInSight,
} from '../access/principal.js';
import { DomainError } from '../errors.js';
import { type AppName, matchAppName, unmatchedAmong } from '../match-app-name.js';
import type { Stores } from '../ports.js';
import type { NamedProject, ProjectName } from '../project.js';

/** The project names in which the names of a request are looked up. */
interface NamesInSight {
  /** The refusal of a name that means no project. */
  readonly unmatched: (asked: AppName) => DomainError;
  /** Whether a project at home bears the name or once bore it. */
  readonly bornAtHome: (name: string) => boolean;
}

const namesAmong = (seen: readonly ProjectName[], ofHome: readonly ProjectName[]): NamesInSight => {
  const [homeNames, seenNames] = [ofHome, seen].map((names) => new Set(names.map(({ name }) => name)));
  const [unmatched, unmatchedAtHome] = [unmatchedAmong(seen), unmatchedAmong(ofHome)];
  return {
    bornAtHome: (name) => homeNames?.has(name) === true,
    unmatched: (asked) => {
      if (asked.projectId !== null) return unmatched(asked);
      if (homeNames?.has(asked.appName) || !seenNames?.has(asked.appName)) return unmatchedAtHome(asked);
      const detail = `No project at the key's home is named ${asked.appName}; name one of another team by project_id.`;
      return new DomainError('unknown-app-name', detail, { nearest: [] });
    },
  };
};

/** The names for a request in which every name `isNamedAtHome`, so that none must be read. */
export const NO_NAMES: NamesInSight = namesAmong([], []);

const namesSeen = async ({ projects }: Pick<Stores, 'projects'>, principal: Principal) => {
  const names = await projects.names(teamsInSight(principal));
  const only = principal.home?.projectId ?? null;
  return only === null ? names : names.filter(({ projectId }) => projectId === only);
};

/** Reads every current and former name in sight: one query, and one more for a key that sees teams beyond its home. */
export async function readNames(stores: Pick<Stores, 'projects'>, principal: Principal): Promise<NamesInSight> {
  const home = atHome(principal);
  const seen = await namesSeen(stores, principal);
  return namesAmong(seen, home.roles.size === principal.roles.size ? seen : await namesSeen(stores, home));
}

/** The names in sight, read when they are needed first and once for all reports of a request. */
export type NamesOnce = () => Promise<NamesInSight>;

/** @returns what reads them for that principal */
export function namesOnce(stores: Pick<Stores, 'projects'>, principal: Principal): NamesOnce {
  let read: Promise<NamesInSight> | undefined;
  return () => {
    read ??= readNames(stores, principal);
    return read;
  };
}

const placeOfNames = (principal: Principal, { projectId }: AppName): Principal =>
  projectId === null ? atHome(principal) : principal;

/** Whether a project at home bears the name, or the one that is meant by its id does: no other names need to be read. */
export function isNamedAtHome(principal: Principal, asked: AppName, named: readonly NamedProject[]): boolean {
  const place = placeOfNames(principal, asked);
  return named.some(
    ({ project }) => seesProject(place, project) && (asked.projectId === null || asked.projectId === project.id),
  );
}

/**
 * The one project of that name: at the home of the key, and in other teams in sight only where no project at home bears the
 * name or once bore it, so that no other team can draw a report to itself or make its name ambiguous.
 * @param names those in sight; `NO_NAMES` is enough where the name `isNamedAtHome`
 * @throws DomainError `unknown-app-name`, `app-name-mismatch`, `ambiguous-app-name`, `invalid`, `forbidden`
 */
export function requireNamedAmong(
  { principal, needs }: TeamCaller,
  asked: AppName,
  named: readonly NamedProject[],
  names: NamesInSight,
): NamedProject {
  const known = matchAppName({ principal: placeOfNames(principal, asked), needs }, asked, named);
  if (known !== undefined) return known;
  const beyond = asked.projectId === null && mayLookBeyond(principal) && !names.bornAtHome(asked.appName);
  const match = beyond ? matchAppName({ principal, needs }, asked, named) : undefined;
  if (match === undefined) throw names.unmatched(asked);
  return match;
}

/** Like `requireNamedAmong`, but reads the names in sight only when they are needed. */
export async function findNamedProject(
  caller: TeamCaller,
  asked: AppName,
  named: readonly NamedProject[],
  names: NamesOnce,
): Promise<NamedProject> {
  const isKnown = isNamedAtHome(caller.principal, asked, named);
  return requireNamedAmong(caller, asked, named, isKnown ? NO_NAMES : await names());
}
