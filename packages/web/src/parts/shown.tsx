import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Loaded, retryFailed } from '../api/resource.js';
import { isOffered, type OptionalGroup } from '../api/session.js';
import { HOME } from '../navigation/places.js';
import { agoText } from '../wording/moments.js';
import { FaultNotice } from './notice.js';
import { Empty } from './page.js';

/** Grey lines in place of what is being loaded; invisible for the first 150 ms. */
export const Skeleton = ({ lines = 4 }: { readonly lines?: number }) => (
  <div class="skeleton" role="status">
    <span class="unseen">Loading</span>
    {Array.from({ length: lines }, (_, line) => (
      <span key={line} style={{ width: `${100 - ((line * 37) % 45)}%` }} aria-hidden="true" />
    ))}
  </div>
);

/** Whether data has been painted since the page was loaded. */
let isPainted = false;

/** A resource on the screen: grey lines, value or fault. After a failed reading the old value stays, with its age. */
export const Shown = <Value,>({
  of,
  children,
  lines,
}: {
  readonly of: { readonly state: { readonly value: Loaded<Value> } };
  readonly children: (value: Value) => ComponentChildren;
  readonly lines?: number;
}) => {
  const { value, fault, readAt } = of.state.value;
  useEffect(() => {
    if (value !== undefined) isPainted = true;
  }, [value]);
  if (value === undefined && fault === undefined) return <Skeleton {...(lines === undefined ? {} : { lines })} />;
  if (value === undefined && fault?.type === 'not-found')
    return (
      <Empty title="Not found">
        <p>It may have been removed, or you may not have access to it.</p>
        <a class="button" href={HOME}>
          All projects
        </a>
      </Empty>
    );
  return (
    <>
      {fault === undefined ? null : (
        <div class="stack">
          <FaultNotice fault={fault} onRetry={retryFailed} />
          {readAt === undefined ? null : <p class="soft small">What follows was read {agoText(readAt)}.</p>}
        </div>
      )}
      {value === undefined ? null : children(value)}
    </>
  );
};

/** Whether the first picture is painted. What lies below the first screenful waits, so that it is seen sooner. */
export const useIsPainted = (): boolean => {
  const [isPaintedNow, setPaintedNow] = useState(isPainted);
  useEffect(() => setPaintedNow(true), []);
  return isPaintedNow;
};

/** Draws its content after the first picture; until then it keeps a screen's height, so that no footer jumps. */
export const BelowFirstScreenful = ({ children }: { readonly children: ComponentChildren }) =>
  useIsPainted() ? children : <div class="to-come" />;

/** The groups that have a screen, with what is said behind “This server has” where it lacks their stores. */
const GROUP_TITLES = {
  audit: 'no audit log',
  badges: 'no badges',
  'gate-changes': 'no list of gate changes',
  history: 'no history of the score',
  host: 'no repository host',
  invitations: 'no invitations',
  webhooks: 'no webhooks',
} as const satisfies { readonly [Group in OptionalGroup]?: string };

interface IfOfferedProps {
  readonly group: keyof typeof GROUP_TITLES;
  readonly children: ComponentChildren;
}

/** A screen, or a part of one, that needs stores which the server may lack; without them a notice is shown. */
export const IfOffered = ({ group, children }: IfOfferedProps) =>
  isOffered(group) ? (
    children
  ) : (
    <Empty title={`This server has ${GROUP_TITLES[group]}`}>
      <p>It runs without the stores for this; its administrator can add them.</p>
      <a class="button" href={HOME}>
        All projects
      </a>
    </Empty>
  );
