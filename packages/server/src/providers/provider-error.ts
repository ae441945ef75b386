import { AppError, type ErrorCode } from '../lib/errors.ts';

/** A provider was unreachable, timed out, or refused: names the provider, the operation, and the provider's code. */
export class ProviderError extends AppError {
  readonly provider: string;
  readonly operation: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  readonly provider_code: string | null;

  constructor(
    code: Extract<ErrorCode, `provider_${string}`>,
    about: {
      provider: string;
      operation: string;
      retryable: boolean;
      provider_code?: string | null | undefined;
      /** For the caller, if more can be said than the code does. */
      detail?: string | undefined;
      retry_after_s?: number | undefined;
      cause?: unknown;
    },
  ) {
    super(code, about);
    this.name = 'ProviderError';
    this.provider = about.provider;
    this.operation = about.operation;
    this.retryable = about.retryable;
    this.provider_code = about.provider_code ?? null;
  }
}

/** The `end_reason` of a call that failed because of a provider. */
export function failureReason(error: unknown): string {
  return error instanceof ProviderError ? error.code : 'internal_error';
}
