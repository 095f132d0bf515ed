import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button.js';
import { Icon } from './icon.js';
import { Notice } from './notice.js';

/** A text with a button that copies it. */
export const CopyText = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const [said, setSaid] = useState({ of: text, words: '' });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid({ of: text, words: 'Copied' });
    } catch {
      setSaid({ of: text, words: 'Select and copy it by hand' });
    }
  };
  return (
    <div class="copy">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      <div>
        <Button compact onClick={() => void copy()} label={`Copy ${label}`}>
          <Icon name="copy" />
          Copy
        </Button>
        <div role="status" class="small soft">
          {said.of === text ? said.words : ''}
        </div>
      </div>
    </div>
  );
};

interface OneTimeSecretsProps {
  /** Advice on what to do with it now. */
  readonly children: ComponentChildren;
  readonly texts: readonly (readonly [title: string, text: string])[];
}

/** Shows a secret that is answered only once, to be copied now; it is kept in memory only. */
export const OneTimeSecrets = ({ children, texts }: OneTimeSecretsProps) => (
  <div class="stack">
    <Notice look="attention">
      <p role="alert">{children}</p>
    </Notice>
    {texts.map(([title, text]) => (
      <div class="stack tight" key={title}>
        <h3>{title}</h3>
        <CopyText label={title} text={text} />
      </div>
    ))}
  </div>
);
