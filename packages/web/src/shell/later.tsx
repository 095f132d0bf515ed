import { Component, type ComponentChildren, type ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { lazy, useLocation } from 'preact-iso';
import { BASE_PATH, HOME } from '../navigation/places.js';
import { Button } from '../parts/button.js';
import { Notice } from '../parts/notice.js';
import { PageFrame } from '../parts/page.js';

const NEVER = new Promise<never>(() => undefined);

/** A screen that is loaded on the first visit; when its files are gone, the page is loaded anew. */
export const later = (load: () => Promise<ComponentType>): ComponentType =>
  lazy(async () => {
    try {
      const screen = await load();
      clearReloadMark('screen');
      return screen;
    } catch {
      return (await reloadOnce('screen')) ? NEVER : NotLoaded;
    }
  });

interface BoundaryProps {
  /** The path of the screen inside, with its query. */
  readonly path: string;
  readonly children: ComponentChildren;
}

class PathBoundary extends Component<BoundaryProps, { readonly broken: boolean }> {
  override state = { broken: false };

  override componentDidCatch(error: unknown): void {
    reportError(error);
    this.setState({ broken: true });
  }

  override componentDidUpdate({ path }: BoundaryProps): void {
    if (this.state.broken && path !== this.props.path) this.setState({ broken: false });
  }

  override render({ children }: BoundaryProps) {
    return this.state.broken ? <NotLoaded /> : children;
  }
}

/**
 * Keeps the frame of the page when a screen throws an error, and reports the error to the browser's console. The screen of
 * another address is shown again.
 */
export const Boundary = ({ children }: { readonly children: ComponentChildren }) => (
  <PathBoundary path={useLocation().url}>{children}</PathBoundary>
);

/** Returns how often the server could not be reached, and a function that loads the page anew if it can. */
const useReload = (): readonly [failures: number, retry: () => Promise<void>] => {
  const [failures, setFailures] = useState(0);
  const retry = async () => {
    if (!(await reloadIfReachable())) setFailures((before) => before + 1);
  };
  return [failures, retry];
};

/** Shown in place of a screen whose files did not load, or that failed. */
const NotLoaded = () => {
  const [failures, retry] = useReload();
  return (
    <PageFrame title="This screen could not be shown">
      <div class="stack">
        {failures === 0 ? (
          <p>The page and the server may not fit together any more, or the network is away.</p>
        ) : (
          <Notice key={failures} look="bad">
            <p>The server cannot be reached.</p>
          </Notice>
        )}
        <div class="row">
          <Button look="main" onClick={() => void retry()}>
            Retry
          </Button>
          <a class="button" href={HOME}>
            All projects
          </a>
        </div>
      </div>
    </PageFrame>
  );
};

/** Shown in place of a part of a screen whose file did not load. `what` begins the sentence, such as "The search". */
export const PartNotLoaded = ({ what }: { readonly what: string }) => {
  const [failures, retry] = useReload();
  return (
    <Notice look="bad">
      <p>{what} could not be loaded.</p>
      {failures === 0 ? null : <p key={failures}>The server cannot be reached.</p>}
      <p key="retry">
        <Button compact onClick={() => void retry()}>
          Retry
        </Button>
      </p>
    </Notice>
  );
};

/** What is loaded on demand. Each has a reload mark of its own, since one may load while another is missing for good. */
type LatePart = 'screen' | 'search' | 'what-if';

const reloadMark = (part: LatePart): string => `shipworthy.reloaded-for.${part}`;

/** How long the server may take to answer whether it is alive, in milliseconds. */
const REACHABLE_WITHIN_MS = 10_000;

const isReachable = async (): Promise<boolean> => {
  try {
    const signal = AbortSignal.timeout(REACHABLE_WITHIN_MS);
    return (await fetch(`${BASE_PATH}/livez`, { cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
};

/**
 * Loads the page anew, if the server answers: for files that are gone because the server was upgraded under an open page.
 * Without an answer the page stays, since the browser's own error page says less.
 */
const reloadIfReachable = async (): Promise<boolean> => {
  if (!(await isReachable())) return false;
  location.reload();
  return true;
};

/**
 * As `reloadIfReachable`, but once per part and address, so that a lasting fault does not reload for ever. Where the browser
 * stores nothing, the page is not loaded anew.
 */
export const reloadOnce = async (part: LatePart): Promise<boolean> => {
  const mark = reloadMark(part);
  try {
    if (sessionStorage.getItem(mark) === location.href || !(await isReachable())) return false;
    sessionStorage.setItem(mark, location.href);
  } catch {
    return false;
  }
  location.reload();
  return true;
};

/** Removes the reload mark of a part that was loaded, so that `reloadOnce` may reload the page after a later upgrade. */
export const clearReloadMark = (part: LatePart): void => {
  try {
    sessionStorage.removeItem(reloadMark(part));
  } catch {
    // Without storage there is no mark.
  }
};
