import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { ServiceSettings, type SettingView } from './schema.ts';

export function settingRoutes(app: Server, settings: SettingView[]): void {
  app.get(
    '/api/settings',
    {
      config: { access: 'service' },
      schema: {
        tags: ['service'],
        operationId: 'getSettings',
        summary: 'Show the configuration',
        description:
          'Every setting as the process that answers sees it, in the order of docs/configuration.md. Secrets are shown as set or unset, and nothing else of them.',
        response: responses({ 200: ServiceSettings }, 422),
      },
    },
    async () => ({ settings }),
  );
}
