import { table } from '@switchboard/testkit/table.ts';
import { explore, SCOPES } from '../../packages/server/test/support/campaign-explorer.ts';
import { REAL } from '../../packages/server/test/support/campaign-model.ts';
import { MUTATIONS } from '../../packages/server/test/support/campaign-mutations.ts';
import { finderOf } from '../../packages/server/test/support/mutants.ts';
import { RULE_MUTANTS } from '../../packages/server/test/support/rule-mutants.ts';

const NOT_FOUND = '**nothing**';

/** Explores the model of the dialler, and has each broken rule found: by the explorer, or by a test of the rules. */
export async function model(): Promise<string> {
  const explored = Object.entries(SCOPES).map(([name, scope]) => {
    const { wrong, worlds } = explore(scope, REAL);
    return [name, worlds.toLocaleString('en'), wrong === null ? 'nothing' : `**${wrong}**`];
  });
  const seeded = Object.entries(MUTATIONS).map(([name, [mutation, , scope = 'one person']]) => {
    const { wrong } = explore(SCOPES[scope], { ...REAL, ...mutation });
    return [name, wrong === null ? NOT_FOUND : `explorer: ${wrong}`];
  });
  const rules: string[][] = [];
  for (const [name, mutant] of RULE_MUTANTS) {
    const finder = await finderOf(mutant);
    rules.push([name, finder === null ? NOT_FOUND : `\`${mutant.test}\`: ${finder}`]);
  }
  const text = `Two processes, the clock of one 5 s ahead, take turns in every order with kills, late phones, people who ask not to be called or revoke
their consent, and a campaign that is paused, canceled, and expires. Worlds in which people have changed places count as one.

${table(['among', 'worlds', 'wrong'], explored)}

Rules are broken one at a time, in the model of the dialler or in the source of the pure functions, and each is found, by the explorer or by a test:

${table(['broken', 'found by'], [...seeded, ...rules])}`;
  return text.includes('**') ? `**Some of it failed.**\n\n${text}` : text;
}
