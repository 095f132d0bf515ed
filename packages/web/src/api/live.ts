import { signal } from '@preact/signals';
import { BASE_PATH, GATE_CHANGES_KEY } from '../navigation/places.js';
import { isolated } from '../wording/isolate.js';
import { refreshShown, untilRead } from './resource.js';
import { checkSession, isOffered } from './session.js';

/** Whether changes arrive by themselves; `regular`: without a stream of events, the screen is read every 30 seconds. */
export const liveUpdates = signal<'connecting' | 'live' | 'waiting' | 'regular'>('connecting');

/** The last gate change in words, which screen readers read out politely. */
export const announcement = signal('');

interface ChangeEvent {
  readonly data: {
    readonly project: { readonly id: string; readonly name: string };
    readonly release: { readonly id: string; readonly name: string };
    readonly decision: string;
    readonly before?: { readonly decision: string } | null;
  };
}

const TYPES = ['readiness.changed', 'gate.changed', 'release.activated', 'release.shipped', 'release.canceled'];
/** Events within this many milliseconds of the first lead to one reading: one cause often makes several events. */
const SETTLE_MS = 150;

/** Announces a changed gate decision; returns the id of the project that the event is about. */
const announceChange = (type: string, text: string): string => {
  const { data } = JSON.parse(text) as ChangeEvent;
  if (type === 'gate.changed')
    announcement.value = `${isolated(data.project.name)} ${isolated(data.release.name)}: the gate now says ${data.decision}.`;
  return data.project.id;
};

/** After how many milliseconds a new stream is opened, where a refusal or a wrong answer made the browser give up. */
const ASK_AGAIN_MS = 3_000;

/** How often the screen is read again where the server has no stream of events, in milliseconds. */
const REGULARLY_MS = 30_000;

const readRegularly = (): (() => void) => {
  liveUpdates.value = 'regular';
  const timer = setInterval(() => {
    if (!document.hidden) refreshShown('');
  }, REGULARLY_MS);
  return () => clearInterval(timer);
};

/** Follows the events of all visible projects and reads again what they concern; returns a function that stops it. */
export const followServerEvents = (): (() => void) => {
  if (!isOffered('webhooks')) return readRegularly();
  const changed = new Set<string>();
  /** Whether events may have been missed, so that anything may have changed. */
  let hasMissed = false;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let asking: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource | undefined;
  const settle = () => {
    settling = undefined;
    if (hasMissed) refreshShown('');
    else {
      for (const projectId of changed) refreshShown(`project/${projectId}`);
      refreshShown('portfolio');
      refreshShown(GATE_CHANGES_KEY);
    }
    hasMissed = false;
    changed.clear();
  };
  const settleSoon = () => {
    settling ??= setTimeout(settle, SETTLE_MS);
  };
  const miss = () => {
    hasMissed = true;
    settleSoon();
  };
  const follow = () => {
    const opened = new EventSource(`${BASE_PATH}/api/events`);
    source = opened;
    for (const type of TYPES)
      opened.addEventListener(type, (event) => {
        changed.add(announceChange(type, event.data));
        settleSoon();
      });
    opened.addEventListener('resync', miss);
    opened.addEventListener('open', () => {
      // What was read before the stream opened may lack later changes, so it is read again; at the start only once it is shown.
      if (liveUpdates.value === 'waiting') miss();
      else void untilRead().then(() => source === opened && miss());
      liveUpdates.value = 'live';
    });
    opened.addEventListener('error', () => {
      liveUpdates.value = 'waiting';
      if (opened.readyState !== EventSource.CLOSED) return;
      asking = setTimeout(follow, ASK_AGAIN_MS);
      void checkSession();
    });
  };
  follow();
  return () => {
    clearTimeout(settling);
    clearTimeout(asking);
    source?.close();
    source = undefined;
    liveUpdates.value = 'connecting';
  };
};
