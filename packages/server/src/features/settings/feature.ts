import type { Feature } from '../feature.ts';
import { settingRoutes } from './routes.ts';
import type { SettingView } from './schema.ts';

export type { SettingView };

/** The configuration, for operators. Its group of endpoints is that of the service. */
export function settingsFeature(settings: SettingView[]): Feature {
  return { routes: (server) => settingRoutes(server, settings) };
}
