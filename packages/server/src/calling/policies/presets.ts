import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Static } from 'typebox';
import { PRESETS, type Preset } from './schema.ts';

type PresetFile = Static<typeof Preset>;

const read = new Map<string, PresetFile>();

/** Rules that come with the service, with a date, and a source for each. */
export function presetOf(name: (typeof PRESETS)[number]): PresetFile {
  const known = read.get(name);
  if (known) return known;
  const preset: PresetFile = JSON.parse(readFileSync(path.join(import.meta.dirname, 'data', `${name}.json`), 'utf8'));
  read.set(name, preset);
  return preset;
}

export const allPresets = (): PresetFile[] => PRESETS.map(presetOf);
