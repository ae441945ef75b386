import { createContext, useContext } from 'react';

/** Whether the signed-in caller may use an operation of the API, by its `operationId`. */
export const PermissionContext = createContext<(operation: string) => boolean>(() => true);

/** The same for one operation; true for none. */
export function useMay(operation: string | undefined): boolean {
  const may = useContext(PermissionContext);
  return operation === undefined || may(operation);
}
