import type { LogEvent } from 'kysely';
import { recordSpan } from '../lib/tracing.ts';

const MAX_TEXT = 2000;

/** Records a query as a span. Its text has placeholders, never values: what is personal stays out. */
export function traceQuery(event: LogEvent): void {
  const text = event.query.sql.trim();
  const name = /^(?:--[^\n]*\n\s*)?(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, MAX_TEXT) };
  recordSpan(name, attributes, event.queryDurationMillis, event.level === 'error' ? event.error : undefined);
}
