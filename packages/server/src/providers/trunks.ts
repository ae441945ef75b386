/** An outbound SIP trunk, and its share of the calls of its group. */
export interface Trunk {
  id: string;
  weight: number;
  /** The provider of its lines in the ledger, where that is not the carrier of the settings. */
  carrier?: string;
}

/** Outbound trunks: groups in the order in which they are tried, each with alternatives. */
export type TrunkGroups = readonly (readonly Trunk[])[];

const MAX_WEIGHT = 100;
/** An id, a weight, and a carrier. */
const TRUNK = /^([^\s=|,@]{1,64})(?:=(\d{1,3}))?(?:@([a-z][a-z0-9_-]{0,63}))?$/;

/** Reads trunks from a setting: `ST_a=3|ST_b,ST_c@telnyx` has two groups. The text is one that has no problem. */
export function readTrunks(text: string): TrunkGroups {
  return text.split(',').map((group) =>
    group.split('|').map((one) => {
      const [, id = '', weight = '1', carrier] = TRUNK.exec(one) ?? [];
      return { id, weight: Number(weight), ...(carrier && { carrier }) };
    }),
  );
}

/** The mistake in such a text; null if there is none. */
export function trunksProblem(text: string): string | null {
  const trunks = text.split(/[,|]/);
  const isTrunk = (one: string) => {
    const [, id, weight = '1'] = TRUNK.exec(one) ?? [];
    return id !== undefined && Number(weight) >= 1 && Number(weight) <= MAX_WEIGHT;
  };
  if (!trunks.every(isTrunk))
    return `must be the id of a trunk; of several, with commas between those that follow one another, | between alternatives, weights from 1 to ${MAX_WEIGHT}, and carriers, like ST_a=3|ST_b,ST_c@telnyx`;
  const ids = trunks.map((one) => one.split(/[=@]/)[0]);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  return twice === undefined ? null : `must name each trunk once (${twice} is there twice)`;
}
