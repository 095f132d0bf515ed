import { eventMessage, notFound, type Principal, type ReleaseEvent, seesProject } from '@shipworthy/domain';
import type { Ports } from '@shipworthy/domain/ports';
import { RESYNC_FRAME } from '../http/event-stream.js';
import type { OperationOf, RouteHandler, Routes } from '../http/route.js';

const frames = new WeakMap<ReleaseEvent, string>();

/** An event as a frame of a stream of server-sent events, made once for all streams; its data is what webhooks send. */
const eventFrame = (event: ReleaseEvent): string => {
  const known = frames.get(event);
  if (known !== undefined) return known;
  // JSON holds no line breaks, which would end the data.
  const frame = `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(eventMessage(event))}\n\n`;
  frames.set(event, frame);
  return frame;
};

/** The team of the project asked for; null: no project was asked for. @throws DomainError `not-found` */
const teamAsked = async ({ stores }: Ports, principal: Principal, projectId: string | null): Promise<string | null> => {
  if (projectId === null) return null;
  const project = await stores.projects.byId(projectId);
  if (project === undefined || !seesProject(principal, project)) throw notFound('project');
  return project.teamId;
};

const follow: RouteHandler<OperationOf<'followEvents'>> = async ({ query }, { ports, principal }) => {
  const only = query.project_id?.toLowerCase() ?? null;
  const teamId = await teamAsked(ports, principal, only);
  const hadTeams = principal.roles.size > 0;
  return {
    status: 200,
    stream: {
      // A person who was removed from their last team has nothing to follow any more.
      mayStay: ({ roles }) => (teamId === null ? roles.size > 0 || !hadTeams : roles.has(teamId)),
      begin: (sink) =>
        ports.feed.subscribe(
          (event) => {
            if (only !== null && event.project.id !== only) return;
            if (seesProject(sink.principal(), { id: event.project.id, teamId: event.teamId }))
              sink.send(eventFrame(event));
          },
          () => sink.send(RESYNC_FRAME),
        ),
    },
  };
};

/** The routes of the event stream. */
export const eventRoutes = { followEvents: follow } as const satisfies Partial<Routes>;
