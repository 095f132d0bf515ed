import { HOME } from '../navigation/places.js';
import { PageFrame } from '../parts/page.js';

/** Shown for an address that no screen has. */
export const Lost = () => (
  <PageFrame title="Nothing is here">
    <p>
      The address may be mistyped, or what it named is gone. <a href={HOME}>All projects</a>
    </p>
  </PageFrame>
);
