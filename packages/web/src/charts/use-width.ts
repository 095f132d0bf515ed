import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** How wide a part of the screen is in CSS pixels, so that a drawing keeps the size of its text; 0: not known yet. */
export const useWidth = <Part extends Element>(): readonly [RefObject<Part | null>, number] => {
  const part = useRef<Part>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = part;
    if (current === null) return;
    const measure = () => setWidth(Math.floor(current.getBoundingClientRect().width));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [part, width];
};
