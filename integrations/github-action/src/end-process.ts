const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => stream.write('', () => resolve()));

/** Ends the process once everything is written; a call that is still under way does not hold it. */
export const endProcess = async (exit: number): Promise<never> => {
  await Promise.all([written(process.stdout), written(process.stderr)]);
  process.exit(exit);
};
