import { signal } from '@preact/signals';
import { refreshShown } from './resource.js';

/** Whether changes arrive by themselves. */
export const live = signal<'connecting' | 'live' | 'waiting'>('connecting');

/** The last thing that happened to a gate, in words; read out politely. */
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
/** Several events of one cause become one reading. */
const SETTLE_MS = 150;

const take = (type: string, text: string): string => {
  const { data } = JSON.parse(text) as ChangeEvent;
  if (type === 'gate.changed')
    announcement.value = `${data.project.name} ${data.release.name}: the gate now says ${data.decision}.`;
  return data.project.id;
};

/** Follows the events of all projects in sight and reads again what they concern; answers how to stop. */
export const followEvents = (): (() => void) => {
  const source = new EventSource('/api/events');
  const changed = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const settle = () => {
    timer = undefined;
    for (const projectId of changed) refreshShown(`project/${projectId}`);
    refreshShown('portfolio');
    changed.clear();
  };
  for (const type of TYPES)
    source.addEventListener(type, (event) => {
      changed.add(take(type, event.data));
      timer ??= setTimeout(settle, SETTLE_MS);
    });
  source.addEventListener('resync', () => refreshShown(''));
  source.addEventListener('open', () => {
    if (live.value === 'waiting') refreshShown('');
    live.value = 'live';
  });
  source.addEventListener('error', () => {
    live.value = 'waiting';
  });
  return () => {
    clearTimeout(timer);
    source.close();
  };
};
