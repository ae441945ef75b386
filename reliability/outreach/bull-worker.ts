// A dispatcher written the usual way: BullMQ on Redis, one job a call. It dials, and a phone that is busy or does not
// answer is an error, after which BullMQ runs the job again. Everything that is not said here is BullMQ's default.
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { recordingCarrier } from './carrier-record.ts';

const { REDIS_PORT, DIAL_RECORD = '', RING_MS, TALK_MS, CONCURRENCY } = process.env;
const carrier = recordingCarrier(DIAL_RECORD, { ringMs: Number(RING_MS), talkMs: Number(TALK_MS) });
const connection = new Redis({ host: '127.0.0.1', port: Number(REDIS_PORT), maxRetriesPerRequest: null });

const worker = new Worker<{ phone_number: string }>(
  'calls',
  async (job) => {
    const { phone_number } = job.data;
    // The same for a job that is run again although it has not failed.
    const room_name = `${job.id}.${job.attemptsMade}`;
    const call = { room_name, identity: 'phone', phone_number, ringing_timeout_s: 2, max_duration_s: 600 };
    const outcome = await carrier.dial(call);
    if (!outcome.answered) throw new Error(outcome.end_reason);
  },
  { connection, concurrency: Number(CONCURRENCY) },
);
await worker.waitUntilReady();
process.stdout.write('ready\n');
