import { useState } from 'preact/hooks';
import { HOME } from '../navigation/places.js';
import { Button } from '../parts/button.js';
import { Notice } from '../parts/notice.js';
import { Page } from '../parts/page.js';
import { reloadIfReachable } from './reload-once.js';

/** In the place of a screen whose files did not come, or that broke. */
export const NotLoaded = () => {
  const [tried, setTried] = useState(0);
  const retry = async () => {
    if (!(await reloadIfReachable())) setTried(tried + 1);
  };
  return (
    <Page title="This screen could not be shown">
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
    </Page>
  );
};
