/** Counts what each owner holds of something, such as connections of an address, up to a limit. */
export function createOwnerLimit(max = Number.POSITIVE_INFINITY) {
  const held = new Map<string, number>();
  return {
    /** Takes `count` and returns true, unless the owner would hold more than `limit`. */
    take: (owner: string, count = 1, limit = max): boolean => {
      const sum = (held.get(owner) ?? 0) + count;
      if (sum > limit) return false;
      held.set(owner, sum);
      return true;
    },
    /** Gives back what was taken. */
    giveBack: (owner: string, count = 1): void => {
      const left = (held.get(owner) ?? 0) - count;
      if (left > 0) held.set(owner, left);
      else held.delete(owner);
    },
  };
}
