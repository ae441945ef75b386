import { AppError } from '../../../lib/errors.ts';
import { type Finding, ok, wrong } from '../../../providers/diagnosis.ts';
import type { Kms } from '../../../providers/kms/kms.ts';

const [TEXT, OWNER] = ['doctor', 'doctor'];

/** Whether the key management service encrypts a text, and decrypts what it has made of it. */
export async function checkKeyService(kms: Kms): Promise<Finding> {
  const check = 'key management service';
  try {
    const text = await kms.unwrap(await kms.wrap(TEXT, OWNER), OWNER, kms.key);
    if (text !== TEXT) return wrong(check, 'It does not return the text that it encrypted: user keys would be lost.');
    return ok(check, 'encrypts and decrypts with the key of SECRETS_KMS_KEY');
  } catch (error) {
    const why = error instanceof AppError && error.cause instanceof Error ? error.cause.message : String(error);
    return wrong(check, `${why}. Check SECRETS_KMS_URL, its token, and what its policy allows (docs/privacy.md).`);
  }
}
