import { Component, type ComponentChildren, type ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { lazy } from 'preact-iso';
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
      clearReloadMark();
      return screen;
    } catch {
      return (await reloadOnce()) ? NEVER : NotLoaded;
    }
  });

interface BoundaryProps {
  readonly children: ComponentChildren;
}

/** Keeps the frame of the page when a screen throws an error, and reports the error to the browser's console. */
export class Boundary extends Component<BoundaryProps, { readonly broken: boolean }> {
  override state = { broken: false };

  override componentDidCatch(error: unknown): void {
    reportError(error);
    this.setState({ broken: true });
  }

  override render({ children }: BoundaryProps) {
    return this.state.broken ? <NotLoaded /> : children;
  }
}

/** Shown in place of a screen whose files did not load, or that failed. */
const NotLoaded = () => {
  const [tried, setTried] = useState(0);
  const retry = async () => {
    if (!(await reloadIfReachable())) setTried(tried + 1);
  };
  return (
    <PageFrame title="This screen could not be shown">
      <div class="stack">
        {tried === 0 ? (
          <p>The page and the server may not fit together any more, or the network is away.</p>
        ) : (
          <Notice key={tried} look="bad">
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

const RELOAD_MARK = 'shipworthy.reloaded-for';

const isReachable = async (): Promise<boolean> => {
  try {
    return (await fetch(`${BASE_PATH}/livez`, { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
};

/**
 * Loads the page anew, if the server answers: for files that are gone because the server was upgraded under an open page.
 * Without an answer the page stays, since the browser's own error page says less.
 */
export const reloadIfReachable = async (): Promise<boolean> => {
  if (!(await isReachable())) return false;
  location.reload();
  return true;
};

/** As `reloadIfReachable`, but once per address, so that a lasting fault does not reload for ever. */
export const reloadOnce = async (): Promise<boolean> => {
  if (sessionStorage.getItem(RELOAD_MARK) === location.href || !(await isReachable())) return false;
  sessionStorage.setItem(RELOAD_MARK, location.href);
  location.reload();
  return true;
};

/** Called once a file was loaded, so that a later upgrade may reload the page again. */
const clearReloadMark = (): void => sessionStorage.removeItem(RELOAD_MARK);
