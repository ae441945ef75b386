/** Counts a limited resource per address; up to `max` in total are free for all. */
export function createShares(max: number) {
  const perAddress = new Map<string, number>();
  let total = 0;
  return {
    /** Takes one and returns true, unless `max` are taken and the address has used its share. */
    take: (address: string): boolean => {
      const own = perAddress.get(address) ?? 0;
      if (total >= max && own >= max / Math.max(1, perAddress.size)) return false;
      perAddress.set(address, own + 1);
      total++;
      return true;
    },
    giveBack: (address: string): void => {
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left === 0) perAddress.delete(address);
      else perAddress.set(address, left);
      total--;
    },
  };
}
