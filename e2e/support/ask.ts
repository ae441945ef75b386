import type { Json } from '@switchboard/testkit/client.ts';
import type { Service } from '@switchboard/testkit/service.ts';

/** Sends requests of the user `me`; each resolves with the body of the response. */
export const askOf =
  (service: Pick<Service, 'request'>) =>
  async (method: string, route: string, body?: object): Promise<Json> =>
    (await service.request(method, route, { user: 'me', ...(body && { body }) })).body;
