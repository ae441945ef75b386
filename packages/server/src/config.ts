import path from 'node:path';
import { loadSettings } from './settings-load.ts';

/** The configuration in the terms of the code that uses it. `docs/configuration.md` lists the variables behind it. */
export type Config = ReturnType<typeof loadConfig>;

/** Reads the configuration from `env`. Throws `ConfigError` with all mistakes at once. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>) {
  const settings = loadSettings(env);
  return deepFreeze({
    /** The settings by variable name, for operators. Includes secrets. */
    settings,
    host: settings.HOST,
    port: settings.PORT,
    shutdownTimeoutMs: settings.SHUTDOWN_TIMEOUT_MS,
    reconcileIntervalMs: settings.RECONCILE_INTERVAL_MS,
    log: { level: settings.LOG_LEVEL, format: settings.LOG_FORMAT },
    /** Null turns tracing off. */
    tracing:
      settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? null
        : { sampler: settings.OTEL_TRACES_SAMPLER, ratio: Number(settings.OTEL_TRACES_SAMPLER_ARG ?? 1) },
    /** Without a `url`, the embedded database in `dir` is used. */
    database: {
      url: settings.DATABASE_URL,
      poolMax: settings.DATABASE_POOL_MAX,
      prepare: settings.DATABASE_PREPARE,
      dir: settings.DATA_DIR,
    },
    auth: {
      mode: settings.AUTH_MODE,
      bootstrapKey: settings.BOOTSTRAP_KEY,
      jwt: whole({
        issuer: settings.AUTH_JWT_ISSUER,
        audience: settings.AUTH_JWT_AUDIENCE,
        jwksUrl: settings.AUTH_JWT_JWKS_URL,
      }),
      /** Null: users sign in to the console with API keys only. */
      openId: withMore(
        whole({ issuer: settings.OPENID_ISSUER, clientId: settings.OPENID_CLIENT_ID, publicUrl: settings.PUBLIC_URL }),
        {
          clientSecret: settings.OPENID_CLIENT_SECRET ?? null,
          scope: settings.OPENID_SCOPE,
          roleClaim: settings.OPENID_ROLE_CLAIM,
          roles: list(settings.OPENID_ROLES),
        },
      ),
    },
    currency: settings.CURRENCY,
    /** The first key encrypts; all of them decrypt. Without keys, secrets are stored unencrypted. */
    secretsKeys: list(settings.SECRETS_KEY),
    /** Encrypts the keys of users in place of the first of these; null without one. */
    kms: withMore(whole({ url: settings.SECRETS_KMS_URL, key: settings.SECRETS_KMS_KEY }), {
      mount: settings.SECRETS_KMS_MOUNT,
      token: settings.SECRETS_KMS_TOKEN ?? null,
      tokenFile: settings.SECRETS_KMS_TOKEN_FILE ?? null,
    }),
    encryptContent: settings.ENCRYPT_CONTENT,
    http: {
      allowedHosts: list(settings.ALLOWED_HOSTS?.toLowerCase()),
      corsOrigins: list(settings.CORS_ORIGINS),
      trustProxy: list(settings.TRUST_PROXY),
      requestTimeoutMs: settings.REQUEST_TIMEOUT_MS,
      overloadDelayMs: settings.OVERLOAD_DELAY_MS,
      streamsPerUser: settings.MAX_STREAMS_PER_USER,
      connections: {
        total: settings.MAX_CONNECTIONS,
        perAddress: settings.MAX_CONNECTIONS_PER_ADDRESS,
        answerTimeoutMs: settings.ANSWER_TIMEOUT_MS,
      },
      rateLimits: {
        user: settings.RATE_LIMIT_USER,
        service: settings.RATE_LIMIT_SERVICE,
        public: settings.RATE_LIMIT_PUBLIC,
        inFlight: settings.MAX_REQUESTS_PER_ADDRESS,
      },
    },
    calls: {
      durations: {
        ringing_timeout_s: settings.RINGING_TIMEOUT_S,
        max_duration_s: settings.MAX_CALL_DURATION_S,
        agent_join_timeout_s: settings.AGENT_JOIN_TIMEOUT_S,
        browser_join_timeout_s: settings.BROWSER_JOIN_TIMEOUT_S,
      },
      destinations: {
        enabled: settings.CALLING_ENABLED,
        countries: list(settings.CALLING_COUNTRIES),
        blockedPrefixes: list(settings.CALLING_BLOCKED_PREFIXES),
        /** Names of headers that calls may set. */
        sipHeaders: list(settings.SIP_HEADERS_OUT),
      },
      limits: {
        concurrent: settings.CALLS_CONCURRENT,
        per_second: settings.CALLS_PER_SECOND,
        burst: settings.CALLS_BURST,
        per_day: settings.CALLS_PER_DAY,
      },
    },
    transfers: {
      defaultType: settings.TRANSFER_TYPE,
      consultation_s: settings.TRANSFER_CONSULTATION_S,
      coldTransferCountsMs: settings.COLD_TRANSFER_COUNTS_S * 1000,
      limits: { transfers_per_call: settings.TRANSFERS_PER_CALL, phones_per_call: settings.PHONES_PER_CALL },
    },
    numbersPerUser: settings.NUMBERS_PER_USER,
    /** Bytes; null: any number. */
    quota: { stored: settings.STORED_BYTES_PER_USER || null, written: settings.WRITTEN_BYTES_PER_USER || null },
    callbacks: {
      allowPrivate: settings.CALLBACK_ALLOW_PRIVATE,
      timeoutMs: settings.CALLBACK_TIMEOUT_MS,
      reportDelayMs: settings.CALL_REPORT_DELAY_S * 1000,
    },
    /** Days; undefined keeps the rows. */
    retention: {
      transcripts: settings.TRANSCRIPT_RETENTION_DAYS,
      turns: settings.TURN_RETENTION_DAYS,
      callbacks: settings.CALLBACK_RETENTION_DAYS,
      recordings: settings.RECORDING_RETENTION_DAYS,
      auditLog: settings.AUDIT_RETENTION_DAYS,
    },
    recordings: {
      dir: settings.RECORDINGS_DIR ?? path.join(settings.DATA_DIR, 'recordings'),
      /** Null: the folder. */
      s3: withMore(
        whole({
          bucket: settings.RECORDINGS_S3_BUCKET,
          endpoint: settings.RECORDINGS_S3_ENDPOINT,
          accessKeyId: settings.RECORDINGS_S3_ACCESS_KEY_ID,
          secretAccessKey: settings.RECORDINGS_S3_SECRET_ACCESS_KEY,
        }),
        { region: settings.RECORDINGS_S3_REGION, encryption: settings.RECORDINGS_S3_ENCRYPTION ?? null },
      ),
    },
    sandbox: { ringMs: settings.SANDBOX_RING_MS, conversations: settings.SANDBOX_CONVERSATIONS },
    chats: { answerMs: settings.CHAT_ANSWER_TIMEOUT_S * 1000 },
    mediaTimeoutS: settings.MEDIA_TIMEOUT_S,
    /** Names of headers of inbound calls that are read. */
    sipHeadersIn: list(settings.SIP_HEADERS_IN),
    /** Null: the sandbox phone network. */
    livekit: whole({
      url: settings.LIVEKIT_URL,
      apiKey: settings.LIVEKIT_API_KEY,
      apiSecret: settings.LIVEKIT_API_SECRET,
      sipTrunkId: settings.LIVEKIT_SIP_TRUNK_ID,
      agentName: settings.LIVEKIT_AGENT_NAME,
    }),
    /** Null: the sandbox carrier. */
    twilio: withMore(
      whole({
        accountSid: settings.TWILIO_ACCOUNT_SID,
        authToken: settings.TWILIO_AUTH_TOKEN,
        trunkSid: settings.TWILIO_TRUNK_SID,
      }),
      { baseUrl: settings.TWILIO_BASE_URL },
    ),
  });
}

function list(text: string | undefined): string[] {
  return text?.split(',') ?? [];
}

/** Settings that only make sense together; null when any of them is missing. */
function whole<T extends Record<string, string | undefined>>(group: T): { [K in keyof T]: string } | null {
  return Object.values(group).every(Boolean) ? (group as { [K in keyof T]: string }) : null;
}

function withMore<T extends object, M extends object>(group: T | null, more: M): (T & M) | null {
  return group && { ...group, ...more };
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  return Object.freeze(value);
}

/**
 * The calling policy, the limits per user, and how long a transfer counts as a call. In the sandbox, any number may
 * be dialled and the limits are ten times as high.
 */
export function callingRules({ calls, transfers }: Config, isSandbox: boolean) {
  const { destinations, durations, limits } = calls;
  const times = isSandbox ? 10 : 1;
  return {
    policy: { ...destinations, countries: isSandbox ? null : new Set(destinations.countries) },
    callLimits: {
      concurrent: limits.concurrent * times,
      per_second: limits.per_second * times,
      burst: limits.burst * times,
      per_day: limits.per_day * times,
    },
    countedMs: {
      WARM: (durations.ringing_timeout_s + durations.max_duration_s) * 1000,
      COLD: transfers.coldTransferCountsMs,
    },
  };
}
