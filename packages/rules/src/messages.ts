/** A message of the chat completions API. */
export interface Message {
  role: string;
  content?: string | { type: string; text?: string }[] | null;
}

/** A message as its text alone. */
export interface Line {
  role: string;
  text: string;
}

/** A function that the model may call, with the JSON schema of its arguments. */
export interface Tool {
  name: string;
  description?: string;
  parameters?: { properties?: Record<string, Parameter>; required?: string[] };
}

export interface Parameter {
  type?: string;
  enum?: unknown[];
  description?: string;
}

export interface Reply {
  text: string;
  call: { name: string; arguments: Record<string, unknown> } | null;
}
