/**
 * Shows the contents of the worker's outbox: `npm run outbox`. With `-- resend`, refused reports are put back for
 * the worker to send again, which needs no restart.
 */
import { openOutbox } from '@switchboard/client/outbox';
import { readSpoolDir } from './settings.ts';

const [command, ...others] = process.argv.slice(2);
const dir = readSpoolDir(process.env);
if (others.length > 0 || (command !== undefined && command !== 'resend')) {
  process.stderr.write('Usage: npm run outbox [-- resend]\n');
  process.exit(2);
}
const outbox = await openOutbox(dir);
if (command === 'resend') process.stdout.write(`${await outbox.sendRefusedAgain()} put back, to be sent again\n`);
const { waiting, failing, refused, uncertain } = await outbox.counts();
process.stdout.write(
  `${dir}: ${waiting} to be sent (${failing} that Switchboard fails at), ${refused} in refused/, ${uncertain} in uncertain/\n`,
);
