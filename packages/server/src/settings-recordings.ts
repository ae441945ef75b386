import { Type } from 'typebox';

const optional = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));

/** The variables about recordings of calls, and about how what is said is stored. */
export const RECORDING_SETTINGS = {
  ENCRYPT_CONTENT: Type.Boolean({
    default: false,
    description:
      'Encrypts what is said, variables, metadata and data of calls, and reports, with a key for each user ([privacy](privacy.md#encryption)). Needs SECRETS_KEY or SECRETS_KMS_URL. What is stored already stays as it is; without this it stays readable.',
  }),
  SECRETS_KMS_URL: optional(
    'Address of a HashiCorp Vault or OpenBao whose transit engine encrypts the keys of users, in place of SECRETS_KEY ([privacy](privacy.md#a-key-management-service)): `https://vault.example.com:8200`. SECRETS_KEY goes on encrypting the other secrets, and decrypts the keys that it has encrypted.',
  ),
  SECRETS_KMS_KEY: optional('Name of its key, of a type with associated data, like `aes256-gcm96`.'),
  SECRETS_KMS_MOUNT: Type.String({ default: 'transit', minLength: 1, description: 'Path of its transit engine.' }),
  SECRETS_KMS_TOKEN: optional('Token that may encrypt and decrypt with that key.'),
  SECRETS_KMS_TOKEN_FILE: optional(
    'File with that token instead, which is read for each request: for an agent that renews it.',
  ),
  RECORDING_RETENTION_DAYS: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 36_500,
      description: 'Days after which recordings are deleted. Unset: never.',
    }),
  ),
  RECORDINGS_DIR: optional(
    'Directory of the recordings of calls; all processes of the service need the same one. Unset: `recordings` in DATA_DIR. Not used with RECORDINGS_S3_BUCKET.',
  ),
  RECORDINGS_S3_BUCKET: optional(
    'Bucket of an S3-compatible store for the recordings of calls, instead of a directory.',
  ),
  RECORDINGS_S3_ENDPOINT: optional(
    'Its address (`https://s3.eu-central-1.amazonaws.com`); the bucket is the first part of the path.',
  ),
  RECORDINGS_S3_REGION: Type.String({ default: 'us-east-1', minLength: 1, description: 'Its region.' }),
  RECORDINGS_S3_ACCESS_KEY_ID: optional('Access key of that store.'),
  RECORDINGS_S3_SECRET_ACCESS_KEY: optional('Secret of that access key.'),
  RECORDINGS_S3_ENCRYPTION: optional(
    'Server-side encryption that the store is asked for with each object: `AES256`, or `aws:kms`. Unset: as the bucket is configured.',
  ),
};
