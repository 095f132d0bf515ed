import { eventMessage, type ReleaseEvent } from '@shipworthy/domain';

const frames = new WeakMap<ReleaseEvent, string>();

/** An event as a frame of a stream of server-sent events, made once for all streams; its data is what webhooks send. */
export const eventFrame = (event: ReleaseEvent): string => {
  const known = frames.get(event);
  if (known !== undefined) return known;
  // JSON holds no line breaks, which would end the data.
  const frame = `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(eventMessage(event))}\n\n`;
  frames.set(event, frame);
  return frame;
};
