import type { AgentConfig } from '@switchboard/client';
import { reply } from '@switchboard/rules';
import type { Think } from '../../src/rules-agent.ts';

/** Something that is wrong with an agent, and the scenarios of its template that must tell. */
export interface Defect {
  template: string;
  /** The agent's misconduct. */
  does: string;
  caughtBy: string[];
  /** A configuration that somebody has changed for the worse. */
  config?: (config: Config) => unknown;
  /** A model that behaves badly, whatever its configuration. */
  think?: Think;
}

/** A template's configuration, all of whose parts may be changed. */
export type Config = AgentConfig & { instructions: string; tools: NonNullable<AgentConfig['tools']> };
type Thought = ReturnType<Think>;
type Messages = Parameters<Think>[0];

export const rewrite = (text: string, by: string) => (config: Config) => {
  if (!config.instructions.includes(text)) throw new Error(`The instructions do not have "${text}".`);
  config.instructions = config.instructions.replace(text, by);
};
export const add = (sentence: string) => (config: Config) => {
  config.instructions = `${sentence}\n${config.instructions}`;
};
export const functionOf = ({ tools }: Config) => {
  const [first] = tools.functions ?? [];
  if (!first) throw new Error('The template has no function.');
  return first as unknown as { parameters: { properties: Record<string, object> } };
};
export const setProperty = (config: Config, name: string, to: object) =>
  Object.assign(functionOf(config).parameters.properties[name] ?? {}, to);
export const set = (to: object) => (config: Config) => Object.assign(config, to);
export const setTools = (to: object) => (config: Config) => Object.assign(config.tools, to);

/** The caller's last words. */
export const heardIn = (messages: Messages) => String(messages.findLast(({ role }) => role === 'user')?.content ?? '');
export const saidBefore = (messages: Messages) =>
  String(messages.findLast(({ role }) => role === 'assistant')?.content ?? '');
export const say = (text: string): Thought => ({ text, call: null });

/** Thinks as it should, and then does something else. */
export const instead =
  (change: (thought: Thought, messages: Messages) => Thought): Think =>
  (...given) =>
    change(reply(...given), given[0]);
/** Another argument of a function. */
export const passes = (name: string, change: (args: Record<string, unknown>) => object) =>
  instead(({ text, call }) =>
    call?.name === name
      ? { text, call: { name, arguments: { ...call.arguments, ...change(call.arguments) } } }
      : { text, call },
  );
/** Says something to a caller who says something. */
export const answers = (heard: RegExp, words: string) =>
  instead((thought, messages) =>
    messages.at(-1)?.role === 'user' && heard.test(heardIn(messages)) ? say(words) : thought,
  );
/** Says something after a tool has failed. */
export const overlooks = (words: string) =>
  instead((thought, messages) =>
    messages.at(-1)?.role === 'tool' && /sorry/.test(thought.text) ? say(words) : thought,
  );

/** Defects of a template's agent. */
export const defects = (template: string, ...all: Omit<Defect, 'template'>[]): Defect[] =>
  all.map((one) => ({ template, ...one }));
