import type { TrunkInstance } from 'twilio/lib/rest/trunking/v1/trunk.js';
import type { CarrierNumber } from '../carrier.ts';
import { type Finding, notChecked, ok, wrong } from '../diagnosis.ts';
import { ProviderError } from '../provider-error.ts';
import { twilioFor } from './client.ts';

const TIMEOUT_MS = 15_000;
const TRUNK = 'Twilio trunk';

interface Account {
  access: Parameters<typeof twilioFor>[1];
  trunkSid: string;
  listNumbers(): Promise<CarrierNumber[]>;
}

/** Checks the account, its numbers, and the trunk to the media provider. Read-only. */
export async function* diagnose(
  { access: given, trunkSid, listNumbers }: Account,
  countries: string[],
): AsyncGenerator<Finding> {
  const access = { ...given, timeoutMs: TIMEOUT_MS };
  try {
    const numbers = await listNumbers();
    yield ok('Twilio credentials', 'the account accepts TWILIO_AUTH_TOKEN');
    const voice = numbers.filter((number) => number.voice);
    const attached = voice.filter(({ routing }) => routing.trunk_sid === trunkSid);
    const counted = `${voice.length} of ${numbers.length} carry voice, ${attached.length} of these are on the trunk`;
    yield voice.length > 0
      ? ok('Twilio numbers', counted)
      : wrong('Twilio numbers', `${counted}. Buy a number with voice: calls come from it, and to it.`);
  } catch (error) {
    yield wrong('Twilio credentials', trouble(error));
    yield notChecked(TRUNK, 'the account has to answer for this');
    return;
  }
  let trunk: TrunkInstance;
  try {
    trunk = await twilioFor('fetchTrunk', access).trunking.v1.trunks(trunkSid).fetch();
  } catch (error) {
    const isUnknown = error instanceof ProviderError && error.provider_code === '20404';
    const unknown = `the account has no trunk ${trunkSid}. Take TWILIO_TRUNK_SID from Elastic SIP Trunking in its console.`;
    yield wrong(TRUNK, isUnknown ? unknown : trouble(error));
    return;
  }
  yield checkTermination(trunkSid, trunk);
  yield checkTransferMode(trunk);
  yield await checkOrigination(trunkSid, access);
  yield await checkAuthentication(trunkSid, access);
  yield await checkDialingPermissions(countries, access);
}

function checkTermination(trunkSid: string, { domainName }: TrunkInstance): Finding {
  return domainName
    ? ok(TRUNK, `${trunkSid} takes calls at ${domainName}`)
    : wrong(
        TRUNK,
        `${trunkSid} has no termination URI, so nothing can be dialled. Give it one, and credentials with it.`,
      );
}

function checkTransferMode({ transferMode }: TrunkInstance): Finding {
  const check = 'Twilio transfer mode';
  if (transferMode === 'enable-all') return ok(check, 'enable-all: answered calls can be transferred to phone numbers');
  const what = 'Enable call transfer (SIP REFER), to the telephone network too, on the trunk.';
  return wrong(check, `${transferMode}: cold transfers to phone numbers will be refused. ${what}`);
}

async function checkOrigination(trunkSid: string, access: Parameters<typeof twilioFor>[1]): Promise<Finding> {
  const check = 'Twilio origination URL';
  try {
    const urls = await twilioFor('listOriginationUrls', access).trunking.v1.trunks(trunkSid).originationUrls.list();
    const enabled = urls.filter((url) => url.enabled).map(({ sipUrl }) => sipUrl);
    if (enabled.length > 0) return ok(check, `inbound calls go to ${enabled.join(', ')}: this must be the SIP bridge`);
    const what = 'Add sip:<host of the SIP bridge>;transport=tcp to the trunk.';
    return wrong(check, `none is ${urls.length > 0 ? 'enabled' : 'set'}, so inbound calls go nowhere. ${what}`);
  } catch (error) {
    return wrong(check, trouble(error));
  }
}

/** The trunk accepts no anonymous calls: it must know who may dial, by credentials or by address. */
async function checkAuthentication(trunkSid: string, access: Parameters<typeof twilioFor>[1]): Promise<Finding> {
  const check = 'Twilio trunk authentication';
  try {
    const trunk = twilioFor('listTrunkAuthentication', access).trunking.v1.trunks(trunkSid);
    const credentials = await trunk.credentialsLists.list();
    const addresses = await trunk.ipAccessControlLists.list();
    const names = [...credentials, ...addresses].map(({ friendlyName }) => friendlyName).join(', ');
    if (credentials.length > 0)
      return ok(check, `a caller needs a user name of ${names}: the LiveKit outbound trunk's`);
    const what =
      "Add a credential list to the trunk's termination, and its user name and password to the LiveKit outbound trunk.";
    if (addresses.length === 0)
      return wrong(check, `the trunk has no credential list, so it refuses every call that is dialled. ${what}`);
    return ok(
      check,
      `the trunk has no credential list; callers are known by address (${names}): the SIP bridge's must be one`,
    );
  } catch (error) {
    return wrong(check, trouble(error));
  }
}

/** The account can only dial countries that its geographic permissions include. */
async function checkDialingPermissions(countries: string[], access: Parameters<typeof twilioFor>[1]): Promise<Finding> {
  const check = 'Twilio geographic permissions';
  if (countries.length === 0) return notChecked(check, 'CALLING_COUNTRIES is unset: no country is to be dialled');
  try {
    const { dialingPermissions } = twilioFor('fetchDialingPermissions', access).voice.v1;
    const fetched = await Promise.all(countries.map((code) => dialingPermissions.countries(code).fetch()));
    const off = fetched.filter(({ lowRiskNumbersEnabled }) => !lowRiskNumbersEnabled).map(({ name }) => name);
    if (off.length === 0) return ok(check, `the account may dial into ${countries.join(', ')}`);
    const what =
      'Allow them under Voice, Settings, Geo permissions in its console, or take them out of CALLING_COUNTRIES.';
    return wrong(check, `the account may not dial into ${off.join(', ')}: such calls are refused. ${what}`);
  } catch (error) {
    return wrong(check, trouble(error));
  }
}

function trouble(error: unknown): string {
  if (!(error instanceof ProviderError) || error.code === 'provider_answer_invalid')
    return 'the response could not be read: it is not one of Twilio. Check TWILIO_BASE_URL if it is set, and proxies.';
  const { code, provider_code, cause } = error;
  if (provider_code === '20003')
    return 'Twilio refuses the account and its token. Correct TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN.';
  if (code === 'provider_timeout') return 'Twilio does not answer in time. Check that this machine reaches it.';
  if (code === 'provider_refused')
    return `Twilio refuses this: ${cause instanceof Error ? cause.message : provider_code}.`;
  return `Twilio cannot be reached, or fails: ${cause instanceof Error ? cause.message : 'no reason was given'}.`;
}
