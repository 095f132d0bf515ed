import { DomainError, eventMessage, newDelivery, type ReleaseEvent } from '@shipworthy/domain';
import type { EventSourceStore, EventStore } from '@shipworthy/domain/ports';
import { ascending } from './table.js';
import { keyOf, type TableAccess, type Tables } from './tables.js';

const refuseTaken = (
  { eventSources, projects }: Tables,
  projectId: string,
  teamId: string,
  sources: readonly string[],
): void => {
  for (const source of sources) {
    const owner = eventSources.get(keyOf(teamId, source))?.projectId ?? projectId;
    if (owner === projectId) continue;
    const project = { id: owner, name: projects.get(owner)?.name };
    const message = `${source} is an event source of ${project.name}.`;
    throw new DomainError('event-source-taken', message, { source, project });
  }
};

export const eventSourceStore = ({ read, change }: TableAccess): EventSourceStore => ({
  ofProject: (projectId) =>
    read(({ eventSources }) =>
      ascending(eventSources.where('project', projectId), ({ place }) => [place]).map(({ source }) => source),
    ),
  replace: ({ id: projectId, teamId }, sources) =>
    change((tables) => {
      refuseTaken(tables, projectId, teamId, sources);
      const { eventSources } = tables;
      for (const { source } of eventSources.where('project', projectId)) eventSources.remove(keyOf(teamId, source));
      for (const [place, source] of sources.entries())
        eventSources.put(keyOf(teamId, source), { projectId, source, place });
    }),
  projectsOf: (sources) =>
    read(({ eventSources, projects }) =>
      sources.map((source) =>
        ascending(eventSources.where('source', source), ({ projectId }) => [projectId]).flatMap(
          ({ projectId }) => projects.get(projectId) ?? [],
        ),
      ),
    ),
});

const enqueue = ({ webhooks, webhookDeliveries }: Tables, event: ReleaseEvent): void => {
  const { id, type, at } = event;
  const body = JSON.stringify(eventMessage(event));
  for (const { webhook } of webhooks.where('project', event.project.id))
    if (webhook.state === 'enabled' && webhook.types.includes(type))
      webhookDeliveries.put(keyOf(webhook.id, id), newDelivery({ id, webhookId: webhook.id, type, body, at }, at));
};

export const eventStore = ({ change, tell }: TableAccess): EventStore => ({
  append: async (events) => {
    await change((tables) => {
      for (const event of events) enqueue(tables, event);
    });
    await tell(events);
  },
});
