import { readFile } from 'node:fs/promises';
import { type CheckedVerdict, checkVerdict, isAbout } from './check-verdict.js';

const EXIT = { go: 0, heldBack: 1, notBelieved: 2, usage: 64 } as const;

const readJson = async (path: string) => JSON.parse(await readFile(path, 'utf8'));

/** Makes text of others harmless: terminals obey control characters in it, CI systems commands such as `##[name]`. */
const inert = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}').replace(/:(?=:)|#(?=#)/g, '$& ');

const print = ({ statement, keyid }: CheckedVerdict): void => {
  const { subject, predicate } = statement;
  const { score, coverage, decision, decision_without_waivers, reasons } = predicate.result;
  const lines = [
    `${subject[0]?.name}: ${decision} (without waivers ${decision_without_waivers})`,
    `score ${score}, coverage ${coverage}, computed again with formula ${predicate.formula}`,
    ...reasons.map(({ message, waived }) => `${waived ? 'waived' : 'because'}: ${message}`),
    ...Object.entries(subject[0]?.digest ?? {}).map(([kind, hash]) => `about: ${kind} ${hash}`),
    `signed by ${keyid} at ${predicate.issued_at}`,
  ];
  for (const line of lines) console.log(inert(line));
};

/** `main.js GATE KEYS [COMMIT]`: the answer of the gate and the keys as files. */
const [gate, keys, commit] = process.argv.slice(2);
if (gate === undefined || keys === undefined) {
  console.error('Usage: main.js GATE.json KEYS.json [COMMIT]');
  process.exit(EXIT.usage);
}
try {
  const checked = await checkVerdict((await readJson(gate)).verdict, await readJson(keys));
  print(checked);
  if (commit !== undefined && !isAbout(checked, commit)) throw new Error(`The verdict is not about commit ${commit}.`);
  process.exitCode = checked.statement.predicate.result.decision === 'go' ? EXIT.go : EXIT.heldBack;
} catch (error) {
  console.error(inert(String(error)));
  process.exitCode = EXIT.notBelieved;
}
