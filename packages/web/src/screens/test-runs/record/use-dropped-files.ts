import { useEffect, useRef, useState } from 'preact/hooks';

/** Takes files that are dropped anywhere on the screen; answers whether some hover above it. */
export const useDroppedFiles = (take: (files: readonly File[]) => void): boolean => {
  const [hovering, setHovering] = useState(false);
  const taking = useRef(take);
  taking.current = take;
  useEffect(() => {
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const over = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      // Else the browser would open the file in place of the application.
      event.preventDefault();
      setHovering(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setHovering(false);
    };
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setHovering(false);
      taking.current([...(event.dataTransfer?.files ?? [])]);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  return hovering;
};
