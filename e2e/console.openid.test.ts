import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startOpenIdIssuer } from '@switchboard/testkit/openid-issuer.ts';
import { freePort } from '@switchboard/testkit/ports.ts';
import { startService } from '@switchboard/testkit/service.ts';
import type { Page } from 'playwright-core';
import { missingBrowser } from './support/browser.ts';
import { openConsole, seriousViolations } from './support/console.ts';

const missing = missingBrowser();
if (missing) {
  test('signing in at an OpenID provider', { skip: missing }, () => {});
} else {
  const issuer = await startOpenIdIssuer();
  after(issuer.close);
  const PORT = String(await freePort());
  // A different site than the issuer's: cookies for our own site are not sent with its redirects.
  const PUBLIC_URL = `http://localhost:${PORT}`;
  const openid = { OPENID_ISSUER: issuer.issuer, OPENID_CLIENT_ID: issuer.clientId, PUBLIC_URL };
  const env = { AUTH_MODE: 'required', PORT, ...openid, OPENID_CLIENT_SECRET: issuer.clientSecret };
  await startService({ env });
  const visitor = await openConsole(PUBLIC_URL);
  after(visitor.close);

  async function signIn(page: Page, name: string): Promise<void> {
    await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  test('a user signs in at another site, comes back to the page that was asked for, and stays signed in', async () => {
    const page = await visitor.visit('/console/deliveries?tab=endpoints');
    await page.getByRole('heading', { name: 'Sign in to Switchboard' }).waitFor();
    await page.getByRole('link', { name: 'Continue with single sign-on' }).waitFor();
    assert.equal(await page.locator('.button.primary').count(), 1, 'one way stands out');
    assert.deepEqual(await seriousViolations(page), []);
    await signIn(page, 'ada');
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    assert.equal(page.url(), `${PUBLIC_URL}/console/deliveries?tab=endpoints`);
    await page.getByText('ada', { exact: true }).first().waitFor();
    const kept = await page.context().cookies();
    assert.deepEqual(kept.map(({ name, path, httpOnly, sameSite }) => [name, path, httpOnly, sameSite]).sort(), [
      ['switchboard_id_token', '/console/openid', true, 'Strict'],
      ['switchboard_session', '/', true, 'Strict'],
    ]);
    await page.reload();
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in to Switchboard' }).waitFor();
    await page.waitForURL(`${PUBLIC_URL}/console`);
    assert.equal(issuer.signOuts.length, 1, 'the user has signed out at the provider as well');
    assert.deepEqual(await page.context().cookies(), []);
    await page.context().close();
  });

  test('the sign-in page shows any error, and a retry succeeds', async () => {
    const page = await visitor.visit('/console');
    await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('The provider denied the sign-in.').waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    issuer.depart({ claims: { nonce: 'another' } });
    await signIn(page, 'ada');
    await page.getByText('The provider’s response was not accepted.').waitFor();
    issuer.depart({ tokenStatus: 503 });
    await signIn(page, 'ada');
    await page.getByText('The sign-in provider is unreachable.').waitFor();
    issuer.depart({});
    await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The sign-in took too long, or was started in another window.').waitFor();
    await signIn(page, 'ada');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    assert.equal(page.url(), `${PUBLIC_URL}/console`);
    await page.context().close();
  });
}
