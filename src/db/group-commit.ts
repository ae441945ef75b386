import { createTogether, type Options } from '../lib/together.ts';
import { isDatabaseUnavailable } from './database.ts';

/**
 * Concurrent writes share one commit, by a single writer: a commit costs one write to the disk, however much it holds.
 * When it fails each is tried alone, unless it is the database that has failed.
 */
export function createGroupCommit<T, R>({
  most,
  ...options
}: Omit<Options<T, R>, 'isOfOne' | 'most'> & { most: { at_once: number; waiting: number } }): (item: T) => Promise<R> {
  return createTogether({
    ...options,
    isOfOne: (error) => !(error instanceof Error && isDatabaseUnavailable(error)),
    most: { ...most, under_way: 1 },
  });
}
