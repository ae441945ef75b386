import { createBatcher, type Options } from '../lib/batcher.ts';
import { isDatabaseUnavailable } from './database.ts';

interface GroupCommitOptions<T, R> extends Omit<Options<T, R>, 'isItemFault' | 'limits'> {
  /** As of a batcher; a single writer unless `concurrency` says otherwise. */
  limits: { batch_size: number; queue_depth: number; concurrency?: number };
}

/**
 * Group commit: concurrent writes share one transaction, because each commit costs a disk write. If the batch fails,
 * its items are retried one by one, unless the database itself has failed.
 */
export function createGroupCommit<T, R>({ limits, ...options }: GroupCommitOptions<T, R>): (item: T) => Promise<R> {
  return createBatcher({
    ...options,
    isItemFault: (error) => !isDatabaseUnavailable(error),
    limits: { concurrency: 1, ...limits },
  });
}
