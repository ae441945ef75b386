import type { LogEvent } from 'kysely';
import { recordSpan } from '../lib/tracing.ts';

const MAX_TEXT = 2000;

/** Records a query as a span. The text has placeholders instead of values, and so no personal data. */
export function traceQuery(event: LogEvent): void {
  const text = event.query.sql.trim();
  const name = /^(?:--[^\n]*\n\s*)?(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, MAX_TEXT) };
  recordSpan(name, attributes, event.queryDurationMillis, event.level === 'error' ? event.error : undefined);
}
