import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { ServiceSettings, type SettingView } from './schema.ts';

export function settingRoutes(app: Server, settings: SettingView[]): void {
  app.get(
    '/api/settings',
    {
      config: { access: 'operate' },
      schema: {
        tags: ['service'],
        operationId: 'getSettings',
        summary: 'Show the configuration',
        description:
          'Every setting as seen by the process that responds, in the order of docs/configuration.md. Secrets are only shown as set or unset.',
        response: responses({ 200: ServiceSettings }, 422),
      },
    },
    async () => ({ settings }),
  );
}
