import { useEffect, useState } from 'preact/hooks';
import { reloadOnce } from '../../../shell/reload-once.js';
import type { Known } from './judge.js';
import type { WhatIf } from './what-if.js';

/** The question and the engine that answers it, loaded once the scorecard itself is on the screen; its room is kept. */
export const WhatIfLater = ({ known }: { readonly known: Known }) => {
  const [Loaded, setLoaded] = useState<typeof WhatIf | undefined>(undefined);
  useEffect(() => {
    import('./what-if.js').then((module) => setLoaded(() => module.WhatIf)).catch(() => reloadOnce());
  }, []);
  return <div class="what-if-room on-screen">{Loaded === undefined ? null : <Loaded known={known} />}</div>;
};
