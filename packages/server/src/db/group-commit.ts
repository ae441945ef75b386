import { createBatcher, type Options } from '../lib/batcher.ts';
import { isDatabaseUnavailable } from './database.ts';

/**
 * Group commit: concurrent writes share one transaction of a single writer, because each commit costs a disk write.
 * If the batch fails, its items are retried one by one, unless the database itself has failed.
 */
export function createGroupCommit<T, R>({
  limits,
  ...options
}: Omit<Options<T, R>, 'isItemFault' | 'limits'> & { limits: { batch_size: number; queue_depth: number } }): (
  item: T,
) => Promise<R> {
  return createBatcher({
    ...options,
    isItemFault: (error) => !isDatabaseUnavailable(error),
    limits: { ...limits, concurrency: 1 },
  });
}
