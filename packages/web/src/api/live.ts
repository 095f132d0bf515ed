import { signal } from '@preact/signals';
import { BASE_PATH, GATE_CHANGES_KEY } from '../navigation/places.js';
import { isolated } from '../wording/isolate.js';
import { refreshAfterEvent, refreshRegularly, untilRead } from './resource.js';
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

/**
 * How often the screen is read again, in milliseconds: a record that changes no score, coverage or decision makes no event,
 * and a server may have no stream of events.
 */
const REGULARLY_MS = 30_000;

/** After so many milliseconds without a key or the pointer the timer reads no more: readings keep the session from being idle. */
const UNATTENDED_MS = 8 * 3_600_000;

let touchedAt = Date.now();
for (const type of ['keydown', 'pointerdown'])
  addEventListener(
    type,
    () => {
      touchedAt = Date.now();
    },
    { capture: true, passive: true },
  );

/** Asks first who is signed in: nothing may be shown under the name of another person. */
const readAll = async (): Promise<void> => {
  if (Date.now() - touchedAt < UNATTENDED_MS && (await checkSession())) refreshRegularly();
};

/**
 * Follows the events of all visible projects and reads again what they concern; returns a function that closes the stream.
 * @param ready waits until the screen may be read again after the stream has opened; false: it is read anew by itself
 */
const followStream = (ready: () => Promise<boolean>): (() => void) => {
  const changed = new Set<string>();
  /** Whether events may have been missed, so that anything may have changed. */
  let hasMissed = false;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let asking: ReturnType<typeof setTimeout> | undefined;
  /** undefined: closed for good. */
  let source: EventSource | undefined;
  /** Whether the screen may be read again: asked since the stream opened, as the session may be another person's by then. */
  let asked = Promise.resolve(true);
  const settle = async () => {
    const isSame = await asked;
    settling = undefined;
    if (!isSame || source === undefined) return;
    if (hasMissed) refreshAfterEvent('');
    else {
      for (const projectId of changed) refreshAfterEvent(`project/${projectId}`);
      refreshAfterEvent('portfolio');
      refreshAfterEvent(GATE_CHANGES_KEY);
    }
    hasMissed = false;
    changed.clear();
  };
  const settleSoon = () => {
    settling ??= setTimeout(() => void settle(), SETTLE_MS);
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
      asked = liveUpdates.value === 'waiting' ? checkSession() : ready();
      liveUpdates.value = 'live';
      // What was read before the stream opened may lack later changes.
      miss();
    });
    opened.addEventListener('error', () => {
      liveUpdates.value = 'waiting';
      if (opened.readyState !== EventSource.CLOSED) return;
      asking = setTimeout(follow, ASK_AGAIN_MS);
      void checkSession();
    });
  };
  liveUpdates.value = 'connecting';
  follow();
  return () => {
    clearTimeout(settling);
    clearTimeout(asking);
    source?.close();
    source = undefined;
  };
};

/** Waits at the start until the screen is shown, so that nothing is read twice before. */
const onceShown = async (): Promise<boolean> => {
  await untilRead();
  return true;
};

/**
 * Keeps the screen up to date: by the stream of events and every 30 seconds; returns a function that stops it. A hidden
 * tab has no stream, since browsers open six connections to a server at most, for all tabs together.
 */
export const followServerEvents = (): (() => void) => {
  let close: (() => void) | undefined;
  const follow = (ready: () => Promise<boolean>) => {
    close?.();
    close = undefined;
    if (document.hidden || !isOffered('webhooks')) liveUpdates.value = 'regular';
    else close = followStream(ready);
  };
  const turn = () => {
    if (document.hidden) return follow(onceShown);
    const asked = checkSession();
    follow(() => asked);
    if (close === undefined) void asked.then((isSame) => isSame && refreshRegularly());
  };
  follow(onceShown);
  const timer = setInterval(() => void readAll(), REGULARLY_MS);
  document.addEventListener('visibilitychange', turn);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', turn);
    close?.();
    liveUpdates.value = 'connecting';
  };
};
