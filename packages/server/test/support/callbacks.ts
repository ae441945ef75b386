import { eventually } from '@switchboard/testkit/eventually.ts';
import type { RequestOptions, Service } from '@switchboard/testkit/service.ts';

/** The callback to this URL once `ready` holds of it, as `GET /api/callbacks` shows it. */
export function callbackTo(
  service: Pick<Service, 'request'>,
  url: string,
  ready: (callback: { type: string; status: string; attempts: object[] }) => boolean,
  options: RequestOptions = {},
) {
  return eventually(
    async () => {
      const { body } = await service.request('GET', '/api/callbacks?limit=100', options);
      return body.items.find((item: { url: string }) => item.url === url);
    },
    (found) => found !== undefined && ready(found),
  );
}
