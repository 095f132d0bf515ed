import {
  DomainError,
  holdsWords,
  type Instant,
  type PageKey,
  type Release,
  type ReleaseSort,
  type ReleaseState,
  releaseMove,
  USUAL_RELEASE_ORDER,
  waiverMove,
} from '@shipworthy/domain';
import type { ReleaseStore, WaiverStore } from '@shipworthy/domain/ports';
import { insertFirstRevision, markRelease, windowsAt } from './change-log.js';
import { detachFromHost } from './repository-links.js';
import { ascending, descending, pageDown, pageUp } from './table.js';
import { keyOf, type TableAccess, type Tables } from './tables.js';

const refuseTaken = (tables: Tables, release: Release): void => {
  for (const other of tables.releases.where('project', release.projectId)) {
    if (other.id === release.id) continue;
    const { id, name } = other;
    if (name === release.name) {
      throw new DomainError('name-taken', `The project has a release named ${name} already.`, { name });
    }
    if (release.externalId !== null && other.externalId === release.externalId) {
      throw new DomainError('external-id-conflict', `${name} is made from the same milestone at the host.`, {
        release: { id, name },
      });
    }
    if (other.state === 'active' && release.state === 'active') {
      throw new DomainError('release-active', `${name} is active already.`, { release: { id, name } });
    }
  }
};

/** Stores the beginning or the end of an activation; nothing if the release stays active or stays inactive. */
const noteActivity = ({ activations }: Tables, was: ReleaseState, { id, projectId, state }: Release, at: Instant) => {
  if (was !== 'active' && state === 'active')
    activations.put(keyOf(id, at), { releaseId: id, projectId, beganAt: at, endedAt: null });
  if (was !== 'active' || state === 'active') return;
  for (const activation of activations.where('release', id))
    if (activation.endedAt === null) activations.put(keyOf(id, activation.beganAt), { ...activation, endedAt: at });
};

const sortKeyOf = (by: ReleaseSort, descending: boolean): ((release: Release) => PageKey) => {
  // Releases without a target come last in both orders.
  const noTarget = descending ? -Number.MAX_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
  const keys: Readonly<Record<ReleaseSort, (release: Release) => PageKey>> = {
    created: ({ createdAt, id }) => [createdAt, id],
    name: ({ name, createdAt, id }) => [name, createdAt, id],
    target: ({ targetAt, createdAt, id }) => [targetAt ?? noTarget, createdAt, id],
  };
  return keys[by];
};

export const releaseStore = ({ read, change }: TableAccess): ReleaseStore => ({
  create: (release, checklist) =>
    change((tables) => {
      refuseTaken(tables, release);
      tables.releases.put(release.id, release);
      for (const item of checklist) tables.items.put(item.id, item);
      noteActivity(tables, 'planned', release, release.startsAt ?? release.createdAt);
      insertFirstRevision(tables, release.id, release.createdAt);
    }),
  byId: (releaseId) => read(({ releases }) => releases.get(releaseId)),
  byExternalIds: (projectId, externalIds) =>
    read(({ releases }) => {
      const all = releases.where('project', projectId);
      return externalIds.map((externalId) => all.find((release) => release.externalId === externalId));
    }),
  named: (projectId, name) =>
    read(({ releases }) => releases.where('project', projectId).find((release) => release.name === name)),
  activeOf: (projectId) =>
    read(({ releases }) => releases.where('project', projectId).find(({ state }) => state === 'active')),
  page: ({ projectId, states, text }, page, { by, descending } = USUAL_RELEASE_ORDER) =>
    read(({ releases }) => {
      const isFound = holdsWords(text);
      const wanted = releases
        .where('project', projectId)
        .filter(({ state, name }) => (states?.includes(state) ?? true) && isFound(name));
      return (descending ? pageDown : pageUp)(wanted, sortKeyOf(by, descending), page);
    }),
  shippedBefore: (projectId, before, limit) =>
    read(({ releases }) => {
      const shipped = releases
        .where('project', projectId)
        .filter(({ shippedAt }) => shippedAt !== null && shippedAt < before);
      return descending(shipped, ({ shippedAt, id }) => [shippedAt ?? 0, id]).slice(0, limit);
    }),
  windowsAt: (projectId, at) => read((tables) => windowsAt(tables, projectId, at)),
  countOtherWindows: ({ id, projectId }, at) =>
    read(({ releases }) => {
      const ends = ({ shippedAt, canceledAt }: Release) => shippedAt ?? canceledAt ?? Number.POSITIVE_INFINITY;
      const others = releases.where('project', projectId).filter((one) => one.id !== id && one.startsAt !== null);
      return others.filter((one) => ends(one) > at).length;
    }),
  replace: (next, changedAt) =>
    change((tables) => {
      const before = tables.releases.get(next.id);
      if (before?.version !== next.version - 1) return false;
      refuseTaken(tables, next);
      tables.releases.put(next.id, next);
      noteActivity(tables, before.state, next, changedAt);
      markRelease(tables, next.id, releaseMove(before, next, changedAt));
      return true;
    }),
  detachFromHost: (projectId) =>
    change((tables) => detachFromHost(tables.releases, tables.releases.where('project', projectId))),
  freeze: (releaseId, report) =>
    change(({ frozen }) => {
      if (frozen.get(releaseId) === undefined) frozen.put(releaseId, report);
    }),
  frozen: (releaseId) => read(({ frozen }) => frozen.get(releaseId)),
  frozenOf: (releaseIds) => read(({ frozen }) => releaseIds.map((id) => frozen.get(id))),
});

export const waiverStore = ({ read, change }: TableAccess): WaiverStore => ({
  add: (waiver) =>
    change((tables) => {
      tables.waivers.put(waiver.id, waiver);
      markRelease(tables, waiver.releaseId, waiverMove(waiver, 'signed', waiver.createdAt));
    }),
  ofRelease: (releaseId) =>
    read(({ waivers }) => ascending(waivers.where('release', releaseId), ({ createdAt, id }) => [createdAt, id])),
  withdraw: (releaseId, waiverId, at, by) =>
    change((tables) => {
      const waiver = tables.waivers.get(waiverId);
      if (waiver?.releaseId !== releaseId || waiver.withdrawnAt !== null) return false;
      tables.waivers.put(waiverId, { ...waiver, withdrawnAt: at, withdrawnBy: by });
      markRelease(tables, releaseId, waiverMove(waiver, 'withdrawn', at));
      return true;
    }),
});
