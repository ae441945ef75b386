/** One problem of a request, in the form of the specification's validation error. */
export interface Problem {
  loc: (string | number)[];
  msg: string;
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
}

/** The request is invalid (422); carries all of its problems. */
export class InvalidRequest extends Error {
  readonly problems: Problem[];

  constructor(problems: Problem[]) {
    super('The request is invalid.');
    this.name = 'InvalidRequest';
    this.problems = problems;
  }
}

/** One problem with a field of an operation's input, by its name or its path. */
export interface FieldProblem extends Omit<Problem, 'loc'> {
  field: string | (string | number)[];
}

/** Fields are invalid (422). Thrown by operations, which do not know the fields' location in the request. */
export class InvalidFields extends Error {
  readonly problems: FieldProblem[];

  constructor(...problems: FieldProblem[]) {
    super('Fields of the request are invalid.');
    this.name = 'InvalidFields';
    this.problems = problems;
  }
}
