import { type TSchema, Type } from 'typebox';

const Failure = Type.Object(
  { detail: Type.String(), code: Type.String(), request_id: Type.Optional(Type.String()) },
  {
    title: 'Failure',
    examples: [{ detail: 'There is no such resource.', code: 'not_found' }],
    description: '`code` is stable; `detail` is a sentence for people.',
  },
);

const ValidationFailure = Type.Object(
  {
    detail: Type.Array(
      Type.Object(
        {
          loc: Type.Array(Type.Unsafe<string | number>({ anyOf: [{ type: 'string' }, { type: 'integer' }] })),
          msg: Type.String(),
          type: Type.String(),
          input: Type.Optional(Type.Unknown()),
          ctx: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        },
        { title: 'ValidationError' },
      ),
    ),
  },
  {
    title: 'ValidationFailure',
    examples: [{ detail: [{ loc: ['body', 'phone_number'], msg: 'Field required', type: 'missing' }] }],
  },
);

const DESCRIPTIONS: Record<number, string> = {
  401: 'Nobody is calling, or not who they say.',
  403: 'The caller may not do this.',
  404: 'There is no such resource, or it is another user\u2019s.',
  409: 'The state of the resource does not allow it.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  429: 'Too much at once; see Retry-After.',
  500: 'A failure of the service.',
  502: 'A provider refused.',
  503: 'Not available now; see Retry-After.',
  504: 'A provider did not answer in time.',
};

/** The `response` part of a route's schema: what it answers when it succeeds, and the statuses it refuses with beside those of every route. */
export function responses<S extends Record<number, TSchema>>(success: S, ...refusals: number[]): S {
  const statuses = [401, 403, ...refusals.filter((status) => status !== 422), 429, 500, 503];
  return {
    ...success,
    ...Object.fromEntries(statuses.map((status) => [status, { ...Failure, description: DESCRIPTIONS[status] }])),
    ...(refusals.includes(422) && {
      422: { ...ValidationFailure, description: 'The request is invalid; all its problems.' },
    }),
  };
}
