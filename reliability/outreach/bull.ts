import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@switchboard/testkit/ports.ts';
import { NODE, type Program, startProgram } from '@switchboard/testkit/program.ts';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';

const WORKER = path.join(import.meta.dirname, 'bull-worker.ts');

/** Jobs that are not done. */
const OPEN = ['waiting', 'active', 'delayed', 'prioritized', 'waiting-children'] as const;

/** A Redis that keeps its log of changes, as BullMQ's documentation asks for, and a queue of calls. */
export async function startBull(dir: string) {
  const port = await freePort();
  const kept = ['--appendonly', 'yes', '--save', '', '--dir', dir];
  const redis = startProgram(['redis-server', '--port', String(port), '--bind', '127.0.0.1', ...kept]);
  await redis.until((output) => output.includes('Ready to accept connections'));
  const connection = new Redis({ host: '127.0.0.1', port, maxRetriesPerRequest: null });
  const queue = new Queue('calls', { connection });
  const workers: Program[] = [];

  return {
    queue,
    redisPid: redis.child.pid ?? 0,
    /** A job for each number, which is only begun when the queue is resumed. */
    fill: async (numbers: string[], attempts: number) => {
      await queue.pause();
      const opts = { attempts, backoff: { type: 'fixed', delay: 1_000 } };
      const jobs = numbers.map((phone_number, index) => ({
        name: 'call',
        data: { phone_number },
        // One that was added already is not added again.
        opts: { ...opts, jobId: `c-${index}` },
      }));
      for (let from = 0; from < jobs.length; from += 1_000) await queue.addBulk(jobs.slice(from, from + 1_000));
    },
    startWorker: async (env: Record<string, string>) => {
      const program = startProgram([...NODE, WORKER], {
        env: { PATH: process.env.PATH, REDIS_PORT: String(port), ...env },
      });
      workers.push(program);
      await program.until((output) => output.includes('ready'));
      return program;
    },
    /** Waits until no job is left to do. */
    drained: async (withinMs: number) => {
      const deadline = performance.now() + withinMs;
      for (let open = 1; open > 0; await sleep(50)) {
        const counts = await queue.getJobCounts(...OPEN);
        open = Object.values(counts).reduce((sum, count) => sum + count, 0);
        if (performance.now() > deadline) throw new Error(`jobs are left: ${JSON.stringify(counts)}`);
      }
    },
    end: async () => {
      for (const worker of workers) await worker.end('SIGKILL');
      await queue.close();
      connection.disconnect();
      await redis.end('SIGKILL');
    },
  };
}
