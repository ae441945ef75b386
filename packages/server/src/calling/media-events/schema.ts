import { Type } from 'typebox';

export const MediaEventReceived = Type.Object(
  { status: Type.Literal('ok') },
  { title: 'MediaEventReceived', examples: [{ status: 'ok' }] },
);
