import type { GateChange, Instant, ListedGateChange } from '@shipworthy/domain';
import type { GateChangeStore } from '@shipworthy/domain/ports';
import { pageDown } from './table.js';
import type { TableAccess, Tables } from './tables.js';

type NotedChange = GateChange & { readonly notedAt: Instant };

const ofTeams = ({ gateChanges, projects, teams }: Tables, teamIds: readonly string[]): readonly NotedChange[] =>
  teamIds
    .filter((teamId) => teams.get(teamId)?.archivedAt === undefined)
    .flatMap((teamId) => gateChanges.where('team', teamId))
    .filter(({ projectId }) => projects.get(projectId)?.archivedAt === undefined);

const listed = (
  { projects, releases }: Tables,
  { projectId, releaseId, ...change }: NotedChange,
): readonly ListedGateChange[] => {
  const [project, release] = [projects.get(projectId), releases.get(releaseId)];
  if (project === undefined || release === undefined) return [];
  return [
    { ...change, project: { id: projectId, name: project.name }, release: { id: releaseId, name: release.name } },
  ];
};

export const gateChangeStore = ({ read, change }: TableAccess): GateChangeStore => ({
  append: (changes, now) =>
    change(({ gateChanges }) => {
      let last = gateChanges.all().reduce((latest, { notedAt }) => Math.max(latest, notedAt), now - 1);
      for (const each of changes) {
        last += 1;
        gateChanges.put(each.id, { ...each, notedAt: last });
      }
    }),
  page: (teamIds, page) =>
    read((tables) => {
      const { rows, next } = pageDown(ofTeams(tables, teamIds), ({ notedAt }) => [notedAt], page);
      return { rows: rows.flatMap((row) => listed(tables, row)), next };
    }),
  countAfter: (teamIds, after, most) =>
    read((tables) => Math.min(most, ofTeams(tables, teamIds).filter(({ notedAt }) => notedAt > after).length)),
  readUpTo: (userId) => read(({ readUpTo, users }) => readUpTo.get(userId) ?? users.get(userId)?.user.createdAt),
  setReadUpTo: (userId, upTo) => change(({ readUpTo }) => readUpTo.put(userId, upTo)),
  removeBefore: (before) =>
    change(({ gateChanges }) => {
      const old = gateChanges.all().filter(({ notedAt }) => notedAt < before);
      for (const { id } of old) gateChanges.remove(id);
      return old.length;
    }),
});
