import { useState } from 'preact/hooks';
import { Icon } from './icon.js';
import './commit.css';

/** The beginning of a commit hash; pressing it copies the whole. */
export const Commit = ({ sha }: { readonly sha: string }) => {
  const [said, setSaid] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(sha);
      setSaid('Copied');
    } catch {
      setSaid(sha);
    }
  };
  return (
    <span class="commit">
      <button type="button" title={sha} aria-label={`Copy commit ${sha.slice(0, 7)}`} onClick={() => void copy()}>
        <code>{sha.slice(0, 7)}</code>
        <Icon name="copy" />
      </button>
      <span role="status" class="small soft">
        {said}
      </span>
    </span>
  );
};
