import './page.css';
import type { GateDecision } from '@shipworthy/domain/readiness';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { isOffered, type OptionalGroup } from '../api/session.js';
import { useArrival } from '../navigation/navigate.js';
import { HOME, type ProjectPlace, projectAddress } from '../navigation/places.js';

type Crumb = readonly [title: string, address: string];

interface PageProps {
  /** undefined: not known yet. */
  readonly title: string | undefined;
  /** What the gate says, on a release's own screen. */
  readonly decision?: GateDecision | undefined;
  readonly crumbs?: readonly Crumb[];
  /** Shown beside the title. */
  readonly beside?: ComponentChildren;
  /** The actions of the whole page. */
  readonly actions?: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A screen: where it is, its heading that takes the focus on arrival, and what is on it. */
export const PageFrame = ({ title, decision, crumbs = [], beside, actions, lead, children }: PageProps) => {
  const heading = useArrival(title, decision);
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
        {/* The key makes the row anew once the title is known: a row that grows would visibly push what follows. */}
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

/** Says what is missing, and the one thing to do about it. */
export const Empty = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
);

/** A screen in a list of screens; with a group, it is listed only where the server has the stores for the group. */
type ScreenLink = readonly [title: string, address: string, group?: OptionalGroup];

/** The screens of one subject, side by side. */
export const Tabs = ({ label, places }: { readonly label: string; readonly places: readonly ScreenLink[] }) => {
  const { path } = useLocation();
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {offeredOf(places).map(([title, address]) => (
          <li key={address}>
            <a href={address} aria-current={path === address ? 'page' : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

/** The places whose screens the server has the stores for. */
const offeredOf = (places: readonly ScreenLink[]): readonly ScreenLink[] =>
  places.filter(([, , group]) => group === undefined || isOffered(group));

const PARTS = [
  ['Releases', ''],
  ['Issues', '/issues'],
  ['Test runs', '/test-runs'],
  ['Deployments', '/deployments'],
  ['Settings', '/settings'],
] as const;

/** Links to the parts of a project; the part on the screen is marked. */
export const ProjectNav = ({ place }: { readonly place: ProjectPlace }) => {
  const { path } = useLocation();
  const base = projectAddress(place);
  return (
    <nav class="project-nav on-screen" aria-label="Project">
      <ul>
        {PARTS.map(([title, end]) => (
          <li key={title}>
            <a
              href={base + end}
              aria-current={
                path === base + end ? 'page' : path.startsWith(`${base}${end || '/releases'}/`) ? 'true' : undefined
              }
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

/** Shown for an address that no screen has. */
export const PageNotFound = () => (
  <PageFrame title="Page not found">
    <p>
      The address may be mistyped, or the page was removed. <a href={HOME}>All projects</a>
    </p>
  </PageFrame>
);
