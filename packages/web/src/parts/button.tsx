import type { ComponentChildren } from 'preact';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: () => void;
  /** `main`: the most important one on the screen; `danger`: it removes something; `plain`: it looks like a link. */
  readonly look?: 'main' | 'danger' | 'plain';
  readonly compact?: boolean;
  readonly submit?: boolean;
  /** Its action is running: it ignores further presses, and keeps its place and focus. */
  readonly busy?: boolean;
  /** It has nothing to do now: it ignores presses, and keeps its place and focus. */
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
