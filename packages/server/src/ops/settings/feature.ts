import type { Feature } from '../../feature.ts';
import { settingRoutes } from './routes.ts';
import type { SettingView } from './schema.ts';

export type { SettingView };

/** The configuration, for operators. Shares the API tag of health. */
export function settingsFeature(settings: SettingView[]): Feature {
  return { routes: (server) => settingRoutes(server, settings) };
}
