/** Filters of the history, as in the page's URL. */
export const FILTERS = ['q', 'number', 'call_status', 'direction', 'end_reason', 'agent_id', 'from', 'to'] as const;
