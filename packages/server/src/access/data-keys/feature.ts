import type { Feature } from '../../feature.ts';
import type { DataKeys } from './data-keys.ts';

export function dataKeysFeature(dataKeys: DataKeys): Feature {
  return { erase: { user: (trx, { user_id }) => dataKeys.erase(trx, user_id) } };
}
