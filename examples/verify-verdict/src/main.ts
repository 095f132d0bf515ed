import { readFile } from 'node:fs/promises';
import { type CheckedVerdict, checkVerdict, isAbout } from './check-verdict.js';

const EXIT = { go: 0, heldBack: 1, notBelieved: 2, usage: 64 } as const;

const readJson = async (path: string) => JSON.parse(await readFile(path, 'utf8'));

const print = ({ statement, keyid }: CheckedVerdict): void => {
  const { subject, predicate } = statement;
  const { score, coverage, decision, decision_without_waivers, reasons } = predicate.result;
  console.log(`${subject[0]?.name}: ${decision} (without waivers ${decision_without_waivers})`);
  console.log(`score ${score}, coverage ${coverage}, computed again with formula ${predicate.formula}`);
  for (const { message, waived } of reasons) console.log(`${waived ? 'waived' : 'because'}: ${message}`);
  for (const [kind, hash] of Object.entries(subject[0]?.digest ?? {})) console.log(`about: ${kind} ${hash}`);
  console.log(`signed by ${keyid} at ${predicate.issued_at}`);
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
  console.error(String(error));
  process.exitCode = EXIT.notBelieved;
}
