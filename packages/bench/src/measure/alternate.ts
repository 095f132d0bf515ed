/** One figure of every contestant from the same round. */
export type Round<Name extends string, Figure = number> = { readonly [name in Name]: Figure };

/**
 * Runs the contestants one after the other, round after round (A B A B), so that whatever slows the machine for a while
 * meets all of them. Returns the figures round by round.
 */
export const alternate = async <Name extends string, Figure = number>(
  rounds: number,
  contestants: { readonly [name in Name]: () => Promise<Figure> },
): Promise<readonly Round<Name, Figure>[]> => {
  const names = Object.keys(contestants) as Name[];
  const figures: Round<Name, Figure>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const entries: [Name, Figure][] = [];
    for (const name of names) entries.push([name, await contestants[name]()]);
    figures.push(Object.fromEntries(entries) as Round<Name, Figure>);
  }
  return figures;
};
