/** The settings that the checks need, by the names of their variables. */
export interface DoctorSettings {
  AUTH_MODE: 'open' | 'required';
  HOST: string;
  DATABASE_URL?: string;
  DATA_DIR: string;
  LIVEKIT_URL?: string;
  LIVEKIT_API_KEY?: string;
  LIVEKIT_API_SECRET?: string;
  LIVEKIT_SIP_TRUNK_ID?: string;
  LIVEKIT_AGENT_NAME?: string;
  TWILIO_ACCOUNT_SID?: string;
  TWILIO_AUTH_TOKEN?: string;
  TWILIO_TRUNK_SID?: string;
  TWILIO_BASE_URL?: string;
  CALLING_ENABLED: boolean;
  CALLING_COUNTRIES?: string;
}
