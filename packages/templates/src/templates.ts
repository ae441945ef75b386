import { AFTER_HOURS } from './after-hours.ts';
import { APPOINTMENT_REMINDER } from './appointment-reminder.ts';
import { FRONT_DESK } from './front-desk.ts';
import { LEAD_QUALIFICATION } from './lead-qualification.ts';
import { ORDER_STATUS } from './order-status.ts';
import type { Template } from './parts.ts';
import { SURVEY } from './survey.ts';

export type { Template } from './parts.ts';

/** The agents to begin with. */
export const TEMPLATES: Template[] = [
  FRONT_DESK,
  APPOINTMENT_REMINDER,
  LEAD_QUALIFICATION,
  ORDER_STATUS,
  SURVEY,
  AFTER_HOURS,
];

/** An agent without anything. */
export const BLANK: Template = {
  key: 'blank',
  name: 'Blank agent',
  description: 'An empty configuration to fill in.',
  shows: [],
  config: {},
};
