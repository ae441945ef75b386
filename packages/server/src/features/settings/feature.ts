import type { Static } from 'typebox';
import type { Feature } from '../feature.ts';
import { settingRoutes } from './routes.ts';
import type { ServiceSettings } from './schema.ts';

/** The configuration, for operators. Its group of endpoints is that of the service. */
export function settingsFeature(settings: Static<typeof ServiceSettings>['settings']): Feature {
  return { routes: (server) => settingRoutes(server, settings) };
}
