import { styleText } from 'node:util';

/** The usage of an event, and its cost. */
export type Amount = Record<'event_type' | 'provider' | 'quantity' | 'unit_cost' | 'total_cost', string>;
type Style = Parameters<typeof styleText>[0];

const LABEL_WIDTH = 10;
const REQUEST_WIDTH = 46;
const inColor = process.stdout.isTTY === true && !process.env.NO_COLOR;

/** Colored text; plain text when the output is not a terminal or NO_COLOR is set. */
function paint(style: Style, text: string): string {
  return inColor ? styleText(style, text, { validateStream: false }) : text;
}

export function title(text: string, below: string): void {
  console.log(`\n${paint('bold', text)}\n${paint('dim', below)}`);
}

export function heading(number: number, text: string): void {
  console.log(`\n${paint(['bold', 'cyan'], `${number}  ${text}`)}`);
}

/** A line under a heading, with a label in front. */
export function line(label: string, text: string): void {
  console.log(`   ${paint('dim', label.padEnd(LABEL_WIDTH))} ${text}`);
}

/** A request and its outcome. */
export function request(method: string, path: string, status: number, outcome: string): void {
  console.log(
    `   ${paint('blue', method.padEnd(5))}${path.padEnd(REQUEST_WIDTH)} ${paint('green', `${status}`)}  ${outcome}`,
  );
}

const STATE_STYLES: Record<string, Style> = {
  RINGING: 'yellow',
  ANSWERED: 'green',
  COMPLETED: 'blue',
  FAILED: 'red',
  NO_ANSWER: 'red',
};

/** A new state of a call, with its time. */
export function state(seconds: number, status: string, call_status: string, remark = ''): void {
  const text = paint(STATE_STYLES[call_status] ?? 'bold', call_status.padEnd(LABEL_WIDTH));
  line(at(seconds), `${text} ${paint('dim', `session ${status}`)}${remark && `  ${remark}`}`);
}

/** A line of the transcript, with its time. */
export function speech(seconds: number, speaker: string, content: string): void {
  line(at(seconds), `${paint(speaker === 'AGENT' ? 'magenta' : 'bold', speaker.padEnd(LABEL_WIDTH))} ${content}`);
}

/** Rows in columns. Numbers are aligned by their decimal points; the first column is text. */
export function table(rows: string[][]): void {
  const columns = rows[0]?.map((_, index) => align(rows.map((row) => row[index] ?? ''))) ?? [];
  for (const index of rows.keys())
    console.log(
      `   ${columns
        .map((column) => column[index])
        .join('   ')
        .trimEnd()}`,
    );
}

/** One line per event: quantity times price. */
export function usage(events: Amount[]): void {
  table(
    events.map((event) => [
      event.event_type,
      event.provider,
      event.quantity,
      '×',
      event.unit_cost,
      '=',
      event.total_cost,
    ]),
  );
}

export function failure(text: string): void {
  process.stderr.write(`\n${process.stderr.isTTY ? paint('red', 'The demo stopped.') : 'The demo stopped.'} ${text}\n`);
}

function at(seconds: number): string {
  return `${seconds.toFixed(2).padStart(6)} s`;
}

function align(cells: string[]): string[] {
  const isNumeric = cells.every((cell) => /^\d*\.?\d*$/.test(cell));
  if (!isNumeric) return pad(cells);
  const parts = cells.map((cell) => cell.split('.'));
  const whole = Math.max(...parts.map(([digits = '']) => digits.length));
  return pad(cells.map((cell, index) => ' '.repeat(whole - (parts[index]?.[0] ?? '').length) + cell));
}

function pad(cells: string[]): string[] {
  const width = Math.max(...cells.map((cell) => cell.length));
  return cells.map((cell) => cell.padEnd(width));
}
