import type { ComponentChildren } from 'preact';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: () => void;
  /** The one that matters most on the screen, one that takes something away, one that looks like a link. */
  readonly look?: 'main' | 'danger' | 'plain';
  readonly compact?: boolean;
  readonly submit?: boolean;
  /** Does what it was pressed for, and nothing else until then; it keeps its place and its focus. */
  readonly busy?: boolean;
  /** There is nothing for it to do now; it keeps its place and its focus. */
  readonly idle?: boolean;
  readonly label?: string;
  readonly pressed?: boolean;
  /** Takes the focus when its dialog opens. */
  readonly autofocus?: boolean;
}

/** A button. While busy or idle it stays focusable, so that keyboards do not lose their place. */
export const Button = ({
  children,
  onClick,
  look,
  compact,
  submit,
  busy,
  idle,
  label,
  pressed,
  autofocus,
}: ButtonProps) => (
  <button
    type={submit ? 'submit' : 'button'}
    class={['button', look, compact ? 'compact' : undefined].filter(Boolean).join(' ')}
    aria-disabled={busy || idle ? 'true' : undefined}
    aria-busy={busy ? 'true' : undefined}
    aria-label={label}
    aria-pressed={pressed}
    autofocus={autofocus}
    onClick={(event) => {
      if (busy || idle) event.preventDefault();
      else onClick?.();
    }}
  >
    {children}
  </button>
);
