import type { AgentReleasePut, ReleaseArm } from '@switchboard/client';

const ALL = 100;

/** The version that most calls get. */
export const mainOf = (arms: readonly ReleaseArm[]): number =>
  arms.reduce((main, arm) => (arm.weight > main.weight ? arm : main), { version: 0, weight: 0 }).version;

/** A release in which so many of a hundred calls get a version, and the rest the one that most get now. */
export function releaseOf(version: number, weight: number, current: number): AgentReleasePut {
  if (weight >= ALL || version === current) return { arms: [{ version, weight: ALL }] };
  return {
    arms: [
      { version: current, weight: ALL - weight },
      { version, weight },
    ],
    sticky_by: 'number',
  };
}
