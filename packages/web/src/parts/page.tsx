import type { ComponentChildren } from 'preact';
import { useArrival } from '../navigation/use-arrival.js';

export type Crumb = readonly [title: string, address: string];

interface PageProps {
  /** undefined: not known yet. */
  readonly title: string | undefined;
  readonly crumbs?: readonly Crumb[];
  /** Beside the title. */
  readonly beside?: ComponentChildren;
  /** What can be done with the whole. */
  readonly actions?: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A screen: where it is, its heading that takes the focus on arrival, and what is on it. */
export const Page = ({ title, crumbs = [], beside, actions, lead, children }: PageProps) => {
  const heading = useArrival(title);
  return (
    <>
      <div class="page-head">
        {crumbs.length === 0 ? null : (
          <nav class="crumbs" aria-label="Where this is">
            <ol>
              {crumbs.map(([text, address]) => (
                <li key={address}>
                  <a href={address}>{text}</a>
                </li>
              ))}
            </ol>
          </nav>
        )}
        {/* Made anew once it is known: what only grows would be seen to jump. */}
        <div class="row apart" key={title === undefined ? 'awaited' : 'known'}>
          <div class="row">
            <h1 ref={heading} tabIndex={-1}>
              {title ?? <span class="awaited">Loading</span>}
            </h1>
            {beside}
          </div>
          {actions === undefined ? null : <div class="row on-screen">{actions}</div>}
        </div>
        {lead === undefined ? null : <div class="soft">{lead}</div>}
      </div>
      {children}
    </>
  );
};

/** A titled part of a screen. */
export const Panel = ({
  title,
  beside,
  children,
}: {
  readonly title: string;
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}) => (
  <section class="panel" aria-label={title}>
    <header>
      <h2>{title}</h2>
      {beside}
    </header>
    {children}
  </section>
);

/** What is not there yet, and the one thing to do about it. */
export const Empty = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
);
