import { HOME } from '../navigation/places.js';
import { PageFrame } from '../parts/page.js';

/** Shown for an address that no screen has. */
export const Lost = () => (
  <PageFrame title="Page not found">
    <p>
      The address may be mistyped, or the page was removed. <a href={HOME}>All projects</a>
    </p>
  </PageFrame>
);
