import { HOME } from '../navigation/places.js';
import { PageFrame } from '../parts/page.js';

/** An address nothing lives at. */
export const Lost = () => (
  <PageFrame title="Nothing is here">
    <p>
      The address may be mistyped, or what it named is gone. <a href={HOME}>All projects</a>
    </p>
  </PageFrame>
);
