import { isMap, isScalar, isSeq, type Node, parseDocument, Scalar, stringify, type YAMLMap } from 'yaml';
import { Scenario } from './schema.ts';

const WIDTH = 110;
const KEYS = Object.keys(Scenario.properties);
/** Lists of which each entry stands on one line, as long as it fits. */
const ON_A_LINE = ['expect', 'script'];

/** A scenario's YAML in the format's own order and layout; comments stay. The text must be one that can be read. */
export function formatScenario(text: string): string {
  const document = parseDocument(text);
  if (isMap(document.contents)) {
    document.contents.items.sort((a, b) => rank(a.key) - rank(b.key));
    layOut(document.contents);
  }
  return document.toString({ lineWidth: WIDTH, flowCollectionPadding: true, singleQuote: false });
}

/** A scenario as YAML, in the same layout. */
export function writeScenario(scenario: Scenario): string {
  return formatScenario(stringify(scenario));
}

function rank(key: unknown): number {
  const at = KEYS.indexOf(isScalar(key) ? String(key.value) : String(key));
  return at === -1 ? KEYS.length : at;
}

/** Blocks for the outer levels, one line for a step or an expectation. */
function layOut(map: YAMLMap): void {
  map.flow = false;
  for (const { key, value } of map.items) {
    if (isScalar(key)) key.type = Scalar.PLAIN;
    const isList = ON_A_LINE.includes(String(isScalar(key) ? key.value : key));
    if (isSeq(value)) {
      value.flow = !isList && value.items.every((item) => isScalar(item));
      for (const item of value.items) if (isMap(item)) item.flow = isList && fits(item);
    } else if (isMap(value)) layOutInside(value, String(isScalar(key) ? key.value : key));
  }
}

function layOutInside(map: YAMLMap, name: string): void {
  if (name === 'caller' || name === 'tools') layOut(map);
  else map.flow = fits(map);
}

/** Whether a value has no comments and no long texts. */
function fits(node: Node): boolean {
  if (node.comment || node.commentBefore) return false;
  return JSON.stringify(node.toJSON()).length <= WIDTH;
}
