import type { Feature } from '../../feature.ts';
import { createErasures } from './erasure.ts';
import { privacyRoutes } from './routes.ts';
import { createSteps } from './steps.ts';

type Deps = Parameters<typeof createSteps>[0] & Omit<Parameters<typeof createErasures>[0], 'steps'>;

export function privacyFeature(deps: Deps): Feature {
  const erasures = createErasures({ ...deps, steps: createSteps(deps) });
  return {
    tag: { name: 'privacy', description: 'Erasing a user.' },
    work: erasures.kinds,
    routes: (server) => privacyRoutes(server, erasures),
  };
}
