import { createBatcher, type Options } from '../lib/batcher.ts';
import { isDatabaseUnavailable } from './database.ts';

/**
 * Concurrent writes share one commit, by a single writer: a commit costs one write to the disk, however much it holds.
 * When it fails each is tried alone, unless it is the database that has failed.
 */
export function createGroupCommit<T, R>({
  limits,
  ...options
}: Omit<Options<T, R>, 'isItemFault' | 'limits'> & { limits: { batch_size: number; queue_depth: number } }): (
  item: T,
) => Promise<R> {
  return createBatcher({
    ...options,
    isItemFault: (error) => !(error instanceof Error && isDatabaseUnavailable(error)),
    limits: { ...limits, concurrency: 1 },
  });
}
