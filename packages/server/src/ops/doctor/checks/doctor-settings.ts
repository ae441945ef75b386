/** The settings that the checks need, by the names of their variables. */
export interface DoctorSettings {
  AUTH_MODE: 'open' | 'required';
  HOST: string;
  DATABASE_URL?: string;
  DATA_DIR: string;
  CALLING_ENABLED: boolean;
  CALLING_COUNTRIES?: string;
}
